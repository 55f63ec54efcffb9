<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>AllMemory</name>
    <message numerus="yes">
        <source>{n} in %n workspaces</source>
        <translation>
            <numerusform>{n} in %n workspace</numerusform>
            <numerusform>{n} in %n workspaces</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>BackLinks</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
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
    <name>ChatSaves</name>
    <message numerus="yes">
        <source>%n changes are redone.</source>
        <translation>
            <numerusform>%n change is redone.</numerusform>
            <numerusform>%n changes are redone.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n changes are undone.</source>
        <translation>
            <numerusform>%n change is undone.</numerusform>
            <numerusform>%n changes are undone.</numerusform>
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
    <name>HealthController</name>
    <message numerus="yes">
        <source>%n could not be: {reason}</source>
        <translation>
            <numerusform>%n could not be: {reason}</numerusform>
            <numerusform>%n could not be: {reason}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n fix(es) undone.</source>
        <translation>
            <numerusform>%n fix undone.</numerusform>
            <numerusform>%n fixes undone.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s) fixed.</source>
        <translation>
            <numerusform>%n problem fixed.</numerusform>
            <numerusform>%n problems fixed.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s) will be passed over.</source>
        <translation>
            <numerusform>%n problem will be passed over.</numerusform>
            <numerusform>%n problems will be passed over.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HealthCut</name>
    <message numerus="yes">
        <source>%n entries before these are loaded</source>
        <translation>
            <numerusform>%n entry before these is loaded</numerusform>
            <numerusform>%n entries before these are loaded</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more lines are not loaded</source>
        <translation>
            <numerusform>%n more line is not loaded</numerusform>
            <numerusform>%n more lines are not loaded</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HealthGroup</name>
    <message numerus="yes">
        <source>Fix All (%n)…</source>
        <translation>
            <numerusform>Fix All (%n)…</numerusform>
            <numerusform>Fix All (%n)…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Show %n More</source>
        <translation>
            <numerusform>Show %n More</numerusform>
            <numerusform>Show %n More</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HealthPart</name>
    <message numerus="yes">
        <source>%n problem(s) of memory</source>
        <translation>
            <numerusform>%n problem of memory</numerusform>
            <numerusform>%n problems of memory</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HealthPreview</name>
    <message numerus="yes">
        <source>Also %n more file(s): {names}</source>
        <translation>
            <numerusform>Also %n more file: {names}</numerusform>
            <numerusform>Also %n more files: {names}</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HealthStrip</name>
    <message numerus="yes">
        <source>%n problem(s) of memory</source>
        <translation>
            <numerusform>%n problem of memory</numerusform>
            <numerusform>%n problems of memory</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HealthView</name>
    <message numerus="yes">
        <source>%n memories were looked at.</source>
        <translation>
            <numerusform>%n memory was looked at.</numerusform>
            <numerusform>%n memories were looked at.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s).</source>
        <translation>
            <numerusform>%n problem.</numerusform>
            <numerusform>%n problems.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Show ignored (%n)</source>
        <translation>
            <numerusform>Show ignored (%n)</numerusform>
            <numerusform>Show ignored (%n)</numerusform>
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
    <name>InterruptedCard</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LaterRow</name>
    <message numerus="yes">
        <source>%n later branches are kept.</source>
        <translation>
            <numerusform>%n later branch is kept.</numerusform>
            <numerusform>%n later branches are kept.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LoadedDetails</name>
    <message numerus="yes">
        <source>%n lines</source>
        <translation>
            <numerusform>%n line</numerusform>
            <numerusform>%n lines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n memories in the index</source>
        <translation>
            <numerusform>%n memory in the index</numerusform>
            <numerusform>%n memories in the index</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MemoryActs</name>
    <message numerus="yes">
        <source>%n changes are redone.</source>
        <translation>
            <numerusform>%n change is redone.</numerusform>
            <numerusform>%n changes are redone.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n changes are undone.</source>
        <translation>
            <numerusform>%n change is undone.</numerusform>
            <numerusform>%n changes are undone.</numerusform>
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
    <name>RecalledDetails</name>
    <message numerus="yes">
        <source>%n memories</source>
        <translation>
            <numerusform>%n memory</numerusform>
            <numerusform>%n memories</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RecoveryNote</name>
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
    <name>ReviewChip</name>
    <message numerus="yes">
        <source>%n changes of memory were proposed here.</source>
        <translation>
            <numerusform>%n change of memory was proposed here.</numerusform>
            <numerusform>%n changes of memory were proposed here.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n new proposals for memory wait for your review.</source>
        <translation>
            <numerusform>%n new proposal for memory waits for your review.</numerusform>
            <numerusform>%n new proposals for memory wait for your review.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n wait in all.</source>
        <translation>
            <numerusform>%n waits in all.</numerusform>
            <numerusform>%n wait in all.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReviewController</name>
    <message numerus="yes">
        <source>%n files are set aside.</source>
        <translation>
            <numerusform>%n file is set aside.</numerusform>
            <numerusform>%n files are set aside.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files changed meanwhile: see both and choose.</source>
        <translation>
            <numerusform>%n file changed meanwhile: see both and choose.</numerusform>
            <numerusform>%n files changed meanwhile: see both and choose.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposals are accepted.</source>
        <translation>
            <numerusform>%n proposal is accepted.</numerusform>
            <numerusform>%n proposals are accepted.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposals are rejected.</source>
        <translation>
            <numerusform>%n proposal is rejected.</numerusform>
            <numerusform>%n proposals are rejected.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposals wait for your review again.</source>
        <translation>
            <numerusform>%n proposal waits for your review again.</numerusform>
            <numerusform>%n proposals wait for your review again.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReviewPart</name>
    <message numerus="yes">
        <source>%n changes of memory wait for your review</source>
        <translation>
            <numerusform>%n change of memory waits for your review</numerusform>
            <numerusform>%n changes of memory wait for your review</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposed memories wait for your review.</source>
        <translation>
            <numerusform>%n proposed memory waits for your review.</numerusform>
            <numerusform>%n proposed memories wait for your review.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReviewStrip</name>
    <message numerus="yes">
        <source>%n changes of memory wait for your review</source>
        <translation>
            <numerusform>%n change of memory waits for your review</numerusform>
            <numerusform>%n changes of memory wait for your review</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReviewView</name>
    <message numerus="yes">
        <source>%n changes wait for your review.</source>
        <translation>
            <numerusform>%n change waits for your review.</numerusform>
            <numerusform>%n changes wait for your review.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files of the inbox in {folder} cannot be read and are left alone.</source>
        <translation>
            <numerusform>%n file of the inbox in {folder} cannot be read and is left alone.</numerusform>
            <numerusform>%n files of the inbox in {folder} cannot be read and are left alone.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n that read like orders of others stay: look at each of them.</source>
        <translation>
            <numerusform>%n that reads like orders of others stays: look at it by itself.</numerusform>
            <numerusform>%n that read like orders of others stay: look at each of them.</numerusform>
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
        <source>%n places of this session are shown with doubt. The file was not changed.</source>
        <translation>
            <numerusform>%n place of this session is shown with doubt. The file was not changed.</numerusform>
            <numerusform>%n places of this session are shown with doubt. The file was not changed.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n records of this session could not be read and are left out. The file was not changed.</source>
        <translation>
            <numerusform>%n record of this session could not be read and is left out. The file was not changed.</numerusform>
            <numerusform>%n records of this session could not be read and are left out. The file was not changed.</numerusform>
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
