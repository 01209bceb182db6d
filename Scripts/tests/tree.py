"""A small repository made up in a temporary folder."""

import pathlib
import tempfile
from typing import Dict


class Tree:
    """Files written below a temporary folder whose name has a space; use it with `with`."""

    def __init__(self, files: Dict[str, str]):
        self._folder = tempfile.TemporaryDirectory(prefix="astro labe ")
        self.root = pathlib.Path(self._folder.name).resolve()
        for path, text in files.items():
            file = self.root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")

    def __enter__(self) -> "Tree":
        return self

    def __exit__(self, *error) -> None:
        self._folder.cleanup()
