"""Pictures are few, small and used: those of the pages, and those that a program ships."""

import pathlib
import posixpath
import re
from typing import Dict, Iterator, List, Set, Tuple

from law.style import files
from law.violation import Violation

MOST = 20
LIMIT = 200_000  # bytes

_SUFFIXES = tuple(
    ".avif .bmp .gif .heic .icns .ico .jpeg .jpg .mov .mp4 .pdf .png .svg .tif .tiff .webm .webp".split()
)
# What a page quotes or hides.
_HIDDEN = re.compile(r"^ *(`{3,}|~{3,}).*?(?:^ *\1|\Z)|<!--.*?-->|`[^`\n]+`", re.DOTALL | re.MULTILINE)
_SHOWN = re.compile(
    r"!\[(?P<text>(?:[^\[\]]|\[[^\]]*\])*)\](?:\(<?(?P<address>[^)\s>]+)>?(?:\s[^)]*)?\)|\[(?P<label>[^\]]*)\])?"
    r"|<img\b[^>]*\bsrc=[\"'](?P<source>[^\"']+)"
)
_DEFINITION = re.compile(r"^ {0,3}\[([^\]]+)\]:\s*<?([^\s>]+)", re.MULTILINE)
_CODE = (".swift", ".js", ".css", ".html", ".json")


def check(root: pathlib.Path) -> List[Violation]:
    """Returns each picture that is too large, that nothing uses or that is missing, and one if they are too many."""
    paths = [path for path in files(root) if (root / path).exists()]
    pictures = find(paths)
    shipped = _shipped(paths, pictures)
    own = [path for path in pictures if path not in shipped]
    return [*_sizes(root, pictures), *_pages(root, paths, own), *_programs(root, paths, shipped)]


def find(paths: List[str]) -> List[str]:
    """Returns the pictures among files."""
    return [path for path in paths if path.lower().endswith(_SUFFIXES)]


def _shipped(paths: List[str], pictures: List[str]) -> Set[str]:
    """Returns the pictures of programs, a module's resources and an app's icon. All others are of pages."""
    sources = [path[: -len("Package.swift")] + "Sources/" for path in paths if path.split("/")[-1] == "Package.swift"]
    return {
        path
        for path in pictures
        if ".xcassets/" in path or any(path.startswith(each) and "/" in path[len(each) :] for each in sources)
    }


def _shown(text: str) -> Iterator[Tuple[str, int]]:
    """Returns the addresses of the pictures that a page shows, with their lines."""
    text = _HIDDEN.sub(lambda hidden: "\n" * hidden[0].count("\n"), text)
    addresses = {label.lower(): address for label, address in _DEFINITION.findall(text)}
    for match in _SHOWN.finditer(text):
        label = (match["label"] or match["text"] or "").lower()
        address = match["address"] or match["source"] or addresses.get(label, "")
        if address and ":" not in address:
            yield address, text.count("\n", 0, match.start()) + 1


def _sizes(root: pathlib.Path, pictures: List[str]) -> Iterator[Violation]:
    for path in pictures:
        size = (root / path).stat().st_size
        if size >= LIMIT:
            yield Violation(path, 1, f"{size} bytes, expected less than {LIMIT}; reduce its colours, as pngquant does")


def _pages(root: pathlib.Path, paths: List[str], own: List[str]) -> Iterator[Violation]:
    if len(own) > MOST:
        message = f"picture {len(own)} of the pages, over {MOST}; './astrolabe docs --pictures' takes all others"
        yield Violation(own[-1], 1, message)
    shown: Dict[str, Tuple[str, int]] = {}
    for page in paths:
        if not page.endswith(".md"):
            continue
        for address, line in _shown((root / page).read_text(encoding="utf-8")):
            path = posixpath.normpath(posixpath.join(posixpath.dirname(page), address))
            shown.setdefault(path, (page, line))
    for path in own:
        if path not in shown:
            yield Violation(path, 1, "no page shows this picture; delete it")
    for path, place in shown.items():
        if not find([path]) or path not in paths:
            yield Violation(*place, f"the page shows {path}, which is no picture of the repository")


def _programs(root: pathlib.Path, paths: List[str], shipped: Set[str]) -> Iterator[Violation]:
    # The shop reads a drawing by the name of its JPEG, so the suffix may be another one.
    unnamed = {path: pathlib.PurePath(path).stem for path in shipped}
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
