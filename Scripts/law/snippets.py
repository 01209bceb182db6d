"""The code in the pages, and the regions of Swift files that it must equal."""

import pathlib
import re
import textwrap
from typing import Dict, Iterator, List, NamedTuple

from law.violation import Violation

# Where the regions are: what builds without SwiftUI, and what builds against SwiftUI or the stand-in.
SOURCES = ("Tests/DocumentationTests/Snippets", "Tools/Simulator/Tests/AstrolabeSwiftUITests/Snippets")

# A manifest and a main.swift. Scripts/consumer-test pastes, builds and runs them.
PASTED = {"install", "first-span"}

BEGIN = re.compile(r"^\s*// snippet: (\S+)$")
COMMENT = re.compile(r"^<!-- snippet: (\S+) -->$")


class Block(NamedTuple):
    """A fenced block of Swift in a page; `line` is that of its opening fence, counted from 1."""

    path: pathlib.Path
    line: int
    name: str
    code: List[str]


def regions(root: pathlib.Path) -> Dict[str, List[str]]:
    found: Dict[str, List[str]] = {}
    for folder in SOURCES:
        for file in sorted((root / folder).glob("**/*.swift")):
            name = None
            for line in file.read_text(encoding="utf-8").splitlines():
                match = BEGIN.match(line)
                if match and match[1] == "end":
                    name = None
                elif match:
                    name = match[1]
                    found[name] = []
                elif name:
                    found[name].append(line)
    return {name: textwrap.dedent("\n".join(lines)).splitlines() for name, lines in found.items()}


def pages(root: pathlib.Path) -> Iterator[pathlib.Path]:
    yield from (page for page in (root / "README.md",) if page.exists())
    yield from sorted((root / "Sources").glob("*/*.docc/**/*.md"))
    yield from sorted((root / "Docs").glob("**/*.md"))


def blocks(page: pathlib.Path) -> Iterator[Block]:
    lines = page.read_text(encoding="utf-8").splitlines()
    name, start = "", None
    for number, line in enumerate(lines, 1):
        if start is not None:
            if line == "```":
                yield Block(page, start, name, lines[start : number - 1])
                name, start = "", None
        elif line == "```swift":
            start = number
        elif match := COMMENT.match(line):
            name = match[1]
        elif line and not line.startswith("```"):
            name = ""


def expected(block: Block, region: List[str]) -> List[str]:
    """A region as the page shows it. The entry point of an app is marked in the page alone: a library has none."""
    marked = "@main" in block.code
    shown: List[str] = []
    for line in region:
        if marked and re.match(r"(struct|final class) \w+: App\b", line):
            shown.append("@main")
        shown.append(line)
    return shown


def check(root: pathlib.Path) -> Iterator[Violation]:
    known = regions(root)
    used = set()
    for page in pages(root):
        path = page.relative_to(root).as_posix()
        for block in blocks(page):
            used.add(block.name)
            if not block.name:
                if not path.startswith("Docs/"):
                    yield Violation(path, block.line, "Swift code without <!-- snippet: name --> before it")
            elif block.name in PASTED:
                continue
            elif block.name not in known:
                yield Violation(path, block.line, f'no region "// snippet: {block.name}" in {" or ".join(SOURCES)}')
            elif block.code != expected(block, known[block.name]):
                yield Violation(path, block.line, f'differs from snippet "{block.name}"; run Scripts/snippets --write')
    for name in sorted(set(known) - used):
        yield Violation(SOURCES[0], 1, f'no page shows snippet "{name}"')


def write(root: pathlib.Path) -> None:
    known = regions(root)
    for page in pages(root):
        lines = page.read_text(encoding="utf-8").splitlines()
        for block in reversed(list(blocks(page))):
            if block.name in known:
                lines[block.line : block.line + len(block.code)] = expected(block, known[block.name])
        text = "\n".join(lines) + "\n"
        if text != page.read_text(encoding="utf-8"):
            page.write_text(text, encoding="utf-8")
