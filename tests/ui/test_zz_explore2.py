from __future__ import annotations
import os, threading, time, shutil, sys
from tests.ui.test_zz_explore import *
from tests.ui.test_zz_explore import world, window
from desktop.bridge.collector import GuiCollector

def test_index_deleted2(window, world):
    window.type("alembic"); assert window.rows("memory")
    shutil.rmtree(world.services.paths.index)
    window.type("otter"); print("\nINDEXDEL", window.texts("memory"), window.page(), window.view.notes.note.text())
    window.type("lantern"); print(window.texts("memory"), window.page())
    time.sleep(.2); window.settle(); window.type("lanter"); print(window.texts("memory"), window.page())
    world.remember("zebra.md", "Zebra"); window.settle(); window.type("zebra"); print(window.texts("memory"), window.page())
    window.type("lantern"); print(window.texts("memory"), window.page())

def many(world, n):
    for i in range(n):
        (world.root / f"m{i:05}.md").write_text(f"---\nname: m{i}\ndescription: d{i} thing\nmetadata:\n  type: project\n---\n\n" + ("words of all kinds %d. " % i) * 30)

def test_close_mid_index(world, qtbot, dark):
    many(world, 3000)
    w = Window(world, qtbot)
    w.bench.registry.set_fact("folderOpen", True)
    w.search.set_workspace(world.workspace)
    w.until(lambda: w.search.controller.indexer._running is not None)
    w.view.box.setText("words")
    t0=time.perf_counter()
    while time.perf_counter()-t0 < 1: qtbot.wait(10)
    assert w.search.controller.indexer.busy
    t0=time.perf_counter(); w.search.close(); print("\nCLOSE", time.perf_counter()-t0, [t.name for t in threading.enumerate()])
    t0=time.perf_counter(); world.services.memory_search.close(); print("close index", time.perf_counter()-t0)
    w.until(lambda: world.operations.pending == 0)
    w.memory.close(); w.sessions.close(); w.bench.deleteLater()

def test_switch_mid_index(world, qtbot, dark, tmp_path):
    many(world, 3000)
    w = Window(world, qtbot)
    w.bench.registry.set_fact("folderOpen", True)
    w.search.set_workspace(world.workspace)
    w.until(lambda: w.search.controller.indexer._running is not None)
    qtbot.wait(600)
    other = tmp_path / "o"; other.mkdir(); ws = world.services.open_workspace(other)
    t0=time.perf_counter(); w.search.set_workspace(ws); print("\nSWITCH call", time.perf_counter()-t0)
    w.until(lambda: w.search.controller.ready); print("ready", time.perf_counter()-t0)
    w.settle()
    w.search.close(); w.until(lambda: world.operations.pending == 0); w.memory.close(); w.sessions.close(); w.bench.deleteLater()
