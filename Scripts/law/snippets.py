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
REASON = re.compile(r"^<!-- not compiled: (.+) -->$")
WORDS = re.compile(r"\bnot\s+compiled\s+here\b")
BELOW = re.compile(r"\bcode\s+below\b[^.:]*\bnot\s+compiled\s+here\b")

# Pages whose other blocks a test compares with code that it compiles and runs.
TESTED = {"Docs/Guide/Testing.md": "Tests/AstrolabeTestingTests/TestingDocumentTests.swift"}

# Pages for those who change the code that they show.
INTERNAL = ("Docs/Internals/", "Docs/Decisions/")


class Block(NamedTuple):
    """A fenced block of Swift in a page; `line` is that of its opening fence, counted from 1."""

    path: pathlib.Path
    line: int
    name: str
    code: List[str]
    # Whether the page says that it is not compiled.
    is_excused: bool


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
    name, start, is_excused, text, section = "", None, False, "", ""
    for number, line in enumerate(lines, 1):
        if start is not None:
            if line == "```":
                said = WORDS.search(section) or BELOW.search(text)
                yield Block(page, start, name, lines[start : number - 1], is_excused or bool(said))
                name, start, is_excused = "", None, False
        elif line == "```swift":
            start = number
        elif match := COMMENT.match(line):
            name = match[1]
        elif REASON.match(line):
            is_excused = True
        elif line and not line.startswith("```"):
            name, is_excused = "", False
            section = line if line.startswith("#") else f"{section} {line}"
            text += f" {line}"


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
                if not (block.is_excused or path.startswith(INTERNAL) or _is_tested(root, path)):
                    message = "Swift code without <!-- snippet: name --> or <!-- not compiled: reason --> before it"
                    yield Violation(path, block.line, message)
            elif block.name in PASTED:
                continue
            elif block.name not in known:
                yield Violation(path, block.line, f'no region "// snippet: {block.name}" in {" or ".join(SOURCES)}')
            elif block.code != expected(block, known[block.name]):
                yield Violation(path, block.line, f'differs from snippet "{block.name}"; run Scripts/snippets --write')
    for name in sorted(set(known) - used):
        yield Violation(SOURCES[0], 1, f'no page shows snippet "{name}"')


def _is_tested(root: pathlib.Path, path: str) -> bool:
    test = root / TESTED.get(path, "-")
    return test.exists() and path in test.read_text(encoding="utf-8")


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
