"""What the trees of the side bar have in common: one look and one way to be used. GUI thread."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtWidgets import QAbstractItemView, QStyledItemDelegate, QTreeView


def prepare(tree: QTreeView, model: QAbstractItemModel, delegate: QStyledItemDelegate, selection: QAbstractItemView.SelectionMode) -> None:
    """Give a tree its model, its delegate and the look of a side bar: no header, no frame, rows of one height, a menu of its own."""
    tree.setProperty("quiet", True)
    tree.setModel(model)
    tree.setItemDelegate(delegate)
    tree.setHeaderHidden(True)
    tree.setUniformRowHeights(True)
    tree.setSelectionMode(selection)
    tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    tree.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    tree.setFrameShape(QTreeView.Shape.NoFrame)
    tree.setExpandsOnDoubleClick(False)
    tree.setMouseTracking(True)
