from __future__ import annotations
import os, threading, time
from tests.ui.test_search_places import *
from tests.ui.test_search_places import world, window
from tests.ui.search_world import add, say_all
from tests.ui.memory_world import outside_write, PERSON
from desktop.ui.memory.rows import row_key

def describe(window):
    w = window.bench.editors.current_widget()
    out = [type(w).__name__ if w else None, window.tabs()]
    page = getattr(getattr(w, "body", w), "page", None)
    if page is not None and page.isVisible(): out.append((page.title.text(), page.body.text(), [b.text() for b in page.buttons]))
    for b in w.findChildren(__import__("desktop.ui.memory.banner", fromlist=["Banner"]).Banner) if w else []:
        if b.isVisible(): out.append(("banner", b.text(), [x.text() for x in b.buttons]))
    if isinstance(w, MemoryEditor): out.append((w.source.textCursor().selectedText(), w.source.textCursor().blockNumber()+1, len(w.source.text())))
    return out

def test_deleted(window, world):
    window.type("otter sleeps"); row = window.choose("passage")
    (world.root / "otter.md").unlink()
    window.press(Qt.Key.Key_Return, window.view.tree); window.settle()
    print("\nDELETED", describe(window), window.rows("memory"))

def test_renamed(window, world):
    window.type("otter sleeps"); window.choose("passage")
    (world.root / "otter.md").rename(world.root / "beaver.md")
    window.press(Qt.Key.Key_Return, window.view.tree); window.settle()
    print("\nRENAMED", describe(window), [r.place.path for r in window.rows("memory")])
    window.until(lambda: [r.place.path for r in window.rows("memory")] == ["beaver.md"])

def test_changed(window, world):
    window.type("otter sleeps"); window.choose("passage")
    text = world.text("otter.md")
    outside_write(world.root / "otter.md", text.replace("# Otters", "# Otters\n\nnew lines\n\nmore\n\nof them\n"))
    window.press(Qt.Key.Key_Return, window.view.tree); window.settle()
    print("\nCHANGED", describe(window))

def test_unsaved(window, world):
    window.memory.tabs.open("project", "otter.md"); e = editor_of(window)
    e.source.change_to(e.draft().replace("# Otters", "# Otters\n\nmy own draft\n"))
    window.bench.run("search.show"); window.type("otter sleeps"); window.choose("passage")
    window.press(Qt.Key.Key_Return, window.view.tree); window.settle()
    print("\nUNSAVED", describe(window), "my own draft" in e.draft(), e.source.textCursor().block().text())
    window.bench.run("search.next"); window.settle(); print(window.tabs(), window.bench.editors.modified_keys())
    e.take_theirs(); window.settle()

def test_index_deleted(window, world):
    window.type("alembic"); assert window.rows("memory")
    for f in world.services.paths.index.iterdir(): f.unlink()
    window.type("otter"); print("\nINDEXDEL", window.texts("memory"), window.page(), window.view.notes.note.text())
    window.bench.run("search.show"); window.type("lantern"); print(window.texts("memory"), window.page())
    time.sleep(.2); window.settle(); window.type("lantern"); print(window.texts("memory"), window.page())

def test_index_broken(window, world):
    window.type("alembic"); assert window.rows("memory")
    for f in world.services.paths.index.glob("*.sqlite3"):
        with open(f, "r+b") as h:
            h.write(os.urandom(min(f.stat().st_size, 200000)))
    window.type("otter"); print("\nBROKEN", window.texts("memory"), window.page(), window.view.notes.note.text())
    window.type("lantern"); print(window.texts("memory"), window.page(), window.view.notes.note.text())
    window.settle(); window.type("otte"); print(window.texts("memory"), window.page(), window.view.notes.note.text())

def test_memory_off(window, world):
    window.type("alembic"); assert window.rows("memory")
    world.services.settings.set("memory.use", False)
    window.type("otter"); print("\nOFF", window.texts("memory"), window.page(), window.view.notes.note.text())
    world.remember("x.md", "Zebra")
    window.type("zebra"); print(window.texts("memory"), window.page(), window.view.notes.note.text())
    world.services.settings.set("features.memory", False)
    window.type("otter"); print("FEATURE OFF", window.texts("memory"), window.page(), window.view.notes.note.text())

def test_session_gone_and_damaged(window, world):
    a = say_all(world, [("user", "Where are the keys?"), ("assistant", "Under the marble lantern."), ("user", "Thanks")]); a.close()
    b = say_all(world, [("user", "granite one"), ("assistant", "granite two"), ("user", "granite three")]); b.close()
    window.until(lambda: not window.search.controller.busy)
    window.type("marble"); window.choose("message")
    place = a.path if hasattr(a, "path") else next(world.services.paths.data.rglob(f"{a.id}*"))
    print("\n", place)
    (place if place.is_file() else next(place.glob("*.jsonl"))).unlink()
    window.press(Qt.Key.Key_Return, window.view.tree); window.settle()
    print("GONE", describe(window))
    window.type("granite"); print(window.texts("message"))
    pb = b.path if hasattr(b, "path") else next(world.services.paths.data.rglob(f"{b.id}*"))
    fb = pb if pb.is_file() else next(pb.glob("*.jsonl"))
    lines = fb.read_bytes().splitlines(keepends=True); lines[2] = lines[2][:40] + b"\n"
    fb.write_bytes(b"".join(lines)); 
    window.choose("message", "two"); window.press(Qt.Key.Key_Return, window.view.tree); window.settle()
    print("DAMAGED", describe(window))
    window.choose("message", "three"); window.press(Qt.Key.Key_Return, window.view.tree); window.settle()
    print("DAMAGED3", describe(window))

def test_running(window, world):
    a = say_all(world, [("user", "quartz question")])
    window.until(lambda: not window.search.controller.busy)
    open_first(window, "quartz", "message"); print("\nRUN", describe(window), window.texts("message"))
    add(a, "assistant", "quartz answer", minutes=2)
    window.until(lambda: not window.search.controller.busy)
    window.until(lambda: len(window.rows("message")) == 2)
    window.choose("message", "answer"); window.press(Qt.Key.Key_Return, window.view.tree); window.settle()
    print(describe(window)); a.close()

def test_index_md(window, world):
    ws = world.workspace.folder
    print("\n", [(r.id, r.folder, r.profile) for r in world.workspace.memories.roots])
    idx = world.root / "MEMORY.md"; print(idx.read_text()[:300])
    window.type("River animals"); print([(r.place, r.line) for r in window.rows("passage")])
