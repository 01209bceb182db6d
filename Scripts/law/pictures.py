"""Pictures are few, small and used: those of the pages, and those that a program ships."""

import pathlib
import posixpath
import re
from typing import Dict, Iterator, List, Tuple

from law.style import files
from law.violation import Violation

MOST = 20
LIMIT = 200_000  # bytes

_SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif")
_SHOWN = re.compile(r"!\[[^\]]*\]\(([^)\s:]+)(?:\s[^)]*)?\)|<img\b[^>]*\bsrc=\"([^\":]+)\"")
_CODE = (".swift", ".js", ".css", ".html", ".json")


def check(root: pathlib.Path) -> List[Violation]:
    """Returns each picture that is too large, that nothing uses or that is missing, and one if they are too many."""
    paths = [path for path in files(root) if (root / path).exists()]
    pictures = find(paths)
    return [*_sizes(root, pictures), *_pages(root, paths, pictures), *_programs(root, paths, pictures)]


def find(paths: List[str]) -> List[str]:
    """Returns the pictures among files."""
    return [path for path in paths if path.lower().endswith(_SUFFIXES)]


def _is_shipped(path: str) -> bool:
    """Tells the picture of a program, a module's resource or an app's icon, from that of a page."""
    folders = path.split("/")[:-1]
    return "Sources" in folders or any(folder.endswith(".xcassets") for folder in folders)


def _sizes(root: pathlib.Path, pictures: List[str]) -> Iterator[Violation]:
    for path in pictures:
        size = (root / path).stat().st_size
        if size >= LIMIT:
            yield Violation(path, 1, f"{size} bytes, expected less than {LIMIT}; reduce its colours, as pngquant does")


def _pages(root: pathlib.Path, paths: List[str], pictures: List[str]) -> Iterator[Violation]:
    own = [path for path in pictures if not _is_shipped(path)]
    if len(own) > MOST:
        message = f"picture {len(own)} of the pages, over {MOST}; './astrolabe docs --pictures' takes all others"
        yield Violation(own[-1], 1, message)
    shown: Dict[str, Tuple[str, int]] = {}
    for page in paths:
        if not page.endswith(".md"):
            continue
        text = (root / page).read_text(encoding="utf-8")
        for match in _SHOWN.finditer(text):
            path = posixpath.normpath(posixpath.join(posixpath.dirname(page), match[1] or match[2]))
            shown.setdefault(path, (page, text.count("\n", 0, match.start()) + 1))
    for path in own:
        if path not in shown:
            yield Violation(path, 1, "no page shows this picture; delete it")
    for path, place in shown.items():
        if path not in pictures:
            yield Violation(*place, f"the page shows {path}, which is no picture of the repository")


def _programs(root: pathlib.Path, paths: List[str], pictures: List[str]) -> Iterator[Violation]:
    # The shop reads a drawing by the name of its JPEG, so the suffix may be another one.
    unnamed = {path: pathlib.PurePath(path).stem for path in pictures if _is_shipped(path)}
    for path in paths:
        if unnamed and path.endswith(_CODE):
            text = (root / path).read_text(encoding="utf-8")
            unnamed = {
                picture: stem
                for picture, stem in unnamed.items()
                if not any(f"{stem}{suffix}" in text for suffix in _SUFFIXES)
            }
    for path in unnamed:
        yield Violation(path, 1, "no source names this picture; delete it")
