"""Models behind one Protocol: the provider library's, the embedded one, the scripted one; prices, dumps. Knows no tools, no memory."""
