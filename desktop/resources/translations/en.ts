<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>ChatPane</name>
    <message numerus="yes">
        <source>%n lines of this session&apos;s file could not be read and are left out. The file was not changed.</source>
        <translation>
            <numerusform>%n line of this session&apos;s file could not be read and is left out. The file was not changed.</numerusform>
            <numerusform>%n lines of this session&apos;s file could not be read and are left out. The file was not changed.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DiffView</name>
    <message numerus="yes">
        <source>%n more lines differ and are not shown.</source>
        <translation>
            <numerusform>%n more line differs and is not shown.</numerusform>
            <numerusform>%n more lines differ and are not shown.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EditorBody</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ForeignMemoryCard</name>
    <message numerus="yes">
        <source>%n memories of this folder</source>
        <translation>
            <numerusform>%n memory of this folder</numerusform>
            <numerusform>%n memories of this folder</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>IndexPart</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other line(s)</source>
        <translation>
            <numerusform>%n other line</numerusform>
            <numerusform>%n other lines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n piece(s) of content stand in this index.</source>
        <translation>
            <numerusform>%n piece of content stands in this index.</numerusform>
            <numerusform>%n pieces of content stand in this index.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MemoryActs</name>
    <message numerus="yes">
        <source>%n changes are taken back.</source>
        <translation>
            <numerusform>%n change is taken back.</numerusform>
            <numerusform>%n changes are taken back.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n memories are deleted.</source>
        <translation>
            <numerusform>%n memory is deleted.</numerusform>
            <numerusform>%n memories are deleted.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n memories are in “{root}” now.</source>
        <translation>
            <numerusform>%n memory is in “{root}” now.</numerusform>
            <numerusform>%n memories are in “{root}” now.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n memories are moved.</source>
        <translation>
            <numerusform>%n memory is moved.</numerusform>
            <numerusform>%n memories are moved.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n memories are no longer pinned.</source>
        <translation>
            <numerusform>%n memory is no longer pinned.</numerusform>
            <numerusform>%n memories are no longer pinned.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n memories are pinned.</source>
        <translation>
            <numerusform>%n memory is pinned.</numerusform>
            <numerusform>%n memories are pinned.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Links in %n other memories follow.</source>
        <translation>
            <numerusform>Links in %n other memory follow.</numerusform>
            <numerusform>Links in %n other memories follow.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MemoryPicks</name>
    <message numerus="yes">
        <source>%n memories</source>
        <translation>
            <numerusform>%n memory</numerusform>
            <numerusform>%n memories</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more places are named in the details.</source>
        <translation>
            <numerusform>%n more place is named in the details.</numerusform>
            <numerusform>%n more places are named in the details.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MemoryPlaces</name>
    <message numerus="yes">
        <source>%n files stayed where they were: {reason}</source>
        <translation>
            <numerusform>%n file stayed where it was: {reason}</numerusform>
            <numerusform>%n files stayed where they were: {reason}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n memories are back where they were.</source>
        <translation>
            <numerusform>%n memory is back where it was.</numerusform>
            <numerusform>%n memories are back where they were.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n memories are in this project now.</source>
        <translation>
            <numerusform>%n memory is in this project now.</numerusform>
            <numerusform>%n memories are in this project now.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them have another name, since theirs was taken.</source>
        <translation>
            <numerusform>%n of them has another name, since its own was taken.</numerusform>
            <numerusform>%n of them have another name, since theirs was taken.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MemoryTreeModel</name>
    <message numerus="yes">
        <source>%n memories</source>
        <translation>
            <numerusform>%n memory</numerusform>
            <numerusform>%n memories</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>OutsidePart</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>− %n line(s) taken out</source>
        <translation>
            <numerusform>− %n line taken out</numerusform>
            <numerusform>− %n lines taken out</numerusform>
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
    <name>PanelNotice</name>
    <message numerus="yes">
        <source>%n memories</source>
        <translation>
            <numerusform>%n memory</numerusform>
            <numerusform>%n memories</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more were found; see “Adopt Memory of a Lost Project”.</source>
        <translation>
            <numerusform>%n more was found; see “Adopt Memory of a Lost Project”.</numerusform>
            <numerusform>%n more were found; see “Adopt Memory of a Lost Project”.</numerusform>
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
    <name>ResultsModel</name>
    <message numerus="yes">
        <source>%n files</source>
        <translation>
            <numerusform>%n file</numerusform>
            <numerusform>%n files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n results</source>
        <translation>
            <numerusform>%n result</numerusform>
            <numerusform>%n results</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sessions</source>
        <translation>
            <numerusform>%n session</numerusform>
            <numerusform>%n sessions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SearchNotes</name>
    <message numerus="yes">
        <source>%n memories</source>
        <translation>
            <numerusform>%n memory</numerusform>
            <numerusform>%n memories</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n results</source>
        <translation>
            <numerusform>%n result</numerusform>
            <numerusform>%n results</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sessions</source>
        <translation>
            <numerusform>%n session</numerusform>
            <numerusform>%n sessions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SessionViewer</name>
    <message numerus="yes">
        <source>%n lines of this session&apos;s file could not be read and are left out. The file was not changed.</source>
        <translation>
            <numerusform>%n line of this session&apos;s file could not be read and is left out. The file was not changed.</numerusform>
            <numerusform>%n lines of this session&apos;s file could not be read and are left out. The file was not changed.</numerusform>
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
