"""The pages of Markdown: their links, their anchors, their names, and the index."""

import os
import pathlib
import re
from typing import Dict, Iterator, List, NamedTuple, Optional, Set
from urllib.parse import unquote

from law.style import files
from law.violation import Violation

INDEX = "Docs/README.md"

# A page that this index lists is in the index.
OTHER_INDEX = "Docs/Decisions/README.md"

# Its end, because the words may be on the line before.
LINK = re.compile(r"(?<!\\)\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)")
HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$")
ANCHOR = re.compile(r"<a\s+(?:id|name)=\"([^\"]+)\"")
FENCE = re.compile(r"^\s*(`{3,}|~{3,})(.*)$")
MARK = re.compile(r"^\s*<!-- (.*?) -->$")


class Block(NamedTuple):
    """A fenced block; `line` is that of its opening fence, counted from 1."""

    path: str
    line: int
    language: str
    lines: List[str]
    # The comment directly before it, and the text before that comment.
    mark: str
    before: str


class Page(NamedTuple):
    path: str
    # Each line outside of blocks, with its number.
    text: List
    blocks: List[Block]

    @property
    def title(self) -> str:
        return next((match[2] for _, line in self.text if (match := HEADING.match(line))), "")

    @property
    def anchors(self) -> Set[str]:
        """The anchors that GitHub gives to headings."""
        found: Dict[str, int] = {}
        names: Set[str] = set()
        for _, line in self.text:
            names.update(ANCHOR.findall(line))
            if match := HEADING.match(line):
                name = slug(match[2])
                names.add(f"{name}-{found[name]}" if name in found else name)
                found[name] = found.get(name, 0) + 1
        return names


def slug(heading: str) -> str:
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    text = re.sub(r"[*`]|<[^>]*>", "", text).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def read(root: pathlib.Path, path: str) -> Page:
    text, blocks = [], []
    fence: Optional[str] = None
    lines: List[str] = []
    mark, before, opened, language = "", "", 0, ""
    for number, line in enumerate((root / path).read_text(encoding="utf-8").splitlines(), 1):
        match = FENCE.match(line)
        if fence is not None:
            if match and match[1].startswith(fence) and not match[2].strip():
                blocks.append(Block(path, opened, language, lines, mark, before))
                fence, mark = None, ""
            else:
                lines.append(line)
        elif match:
            fence, opened, lines, language = match[1], number, [], match[2].strip()
        else:
            text.append((number, line))
            if comment := MARK.match(line):
                mark = comment[1]
            elif line.strip():
                # A paragraph, or one line of a list.
                before = f"{before} {line}" if text[-2:-1] and text[-2][1].strip() else line
                mark = ""
    return Page(path, text, blocks)


def tracked(root: pathlib.Path) -> List[str]:
    return [path for path in files(root) if (root / path).is_file()]


def load(root: pathlib.Path) -> Dict[str, Page]:
    return {path: read(root, path) for path in tracked(root) if path.endswith(".md")}


def check(root: pathlib.Path, pages: Dict[str, Page]) -> Iterator[Violation]:
    yield from _links(root, pages)
    yield from _names(pages)
    yield from _index(pages)


def _links(root: pathlib.Path, pages: Dict[str, Page]) -> Iterator[Violation]:
    anchors: Dict[str, Set[str]] = {}
    for path, page in pages.items():
        for number, line in page.text:
            for target in LINK.findall(re.sub(r"`[^`]*`", "", line)):
                if re.match(r"[a-z]+:", target):
                    continue
                name, _, anchor = unquote(target).partition("#")
                file = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
                if not (root / file).exists():
                    yield Violation(path, number, f"no file {file}, to which the link {target} leads")
                elif anchor and file in pages:
                    if file not in anchors:
                        anchors[file] = pages[file].anchors
                    if anchor not in anchors[file]:
                        yield Violation(path, number, f"no heading #{anchor} in {file}")


def _names(pages: Dict[str, Page]) -> Iterator[Violation]:
    """Two pages with one name: one of them is read, and linked, for the other."""
    names: Dict[str, str] = {}
    titles: Dict[str, str] = {}
    for path, page in pages.items():
        if not path.startswith("Docs/") or path.startswith("Docs/Decisions/") or path.endswith("/README.md"):
            continue
        for kind, found, known in (("file name", path.split("/")[-1], names), ("title", page.title, titles)):
            if found in known:
                yield Violation(path, 1, f"has the {kind} of {known[found]}: {found}")
            known[found] = path


def _index(pages: Dict[str, Page]) -> Iterator[Violation]:
    listed = set()
    for index in (INDEX, OTHER_INDEX):
        for _, line in pages[index].text if index in pages else []:
            for target in LINK.findall(line):
                listed.add(os.path.normpath(os.path.join(os.path.dirname(index), target.partition("#")[0])))
    for path in pages:
        is_article = re.match(r"Sources/(\w+)/[\w+]+\.docc/(\w+)\.md$", path)
        if path.startswith("Docs/") and path != INDEX or (is_article and not is_article[2].startswith("Astrolabe")):
            if path not in listed:
                yield Violation(path, 1, f"is in no table of {INDEX}")
