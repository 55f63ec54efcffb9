<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>MemoryController</name>
    <message numerus="yes">
        <source>%n memories are back.</source>
        <translation>
            <numerusform>%n memory is back.</numerusform>
            <numerusform>%n memories are back.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n memories are deleted.</source>
        <translation>
            <numerusform>%n memory is deleted.</numerusform>
            <numerusform>%n memories are deleted.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MemoryEditor</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PanelHeader</name>
    <message numerus="yes">
        <source>%n memories</source>
        <translation>
            <numerusform>%n memory</numerusform>
            <numerusform>%n memories</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Parts</name>
    <message numerus="yes">
        <source>Unsaved text of %n tabs is back.</source>
        <translation>
            <numerusform>Unsaved text of %n tab is back.</numerusform>
            <numerusform>Unsaved text of %n tabs is back.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Workbench</name>
    <message numerus="yes">
        <source>%n notifications</source>
        <translation>
            <numerusform>%n notification</numerusform>
            <numerusform>%n notifications</numerusform>
        </translation>
    </message>
</context>
</TS>
