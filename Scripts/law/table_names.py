"""The names in first columns of tables and in queries, and the routes in all text: each is in the sources."""

import pathlib
import re
from typing import Dict, Iterator, Set, Tuple

from law.pages import Page, tracked
from law.violation import Violation

SOURCES = tuple("""
.swift .kt .kts .py .js .sh .json .yaml .yml .txt .h .c .html .css .plist .template .xcprivacy .service
""".split())
FOLDERS = ("Sources/", "Tools/", "Lab/", "Examples/", "Integrations/", "Android/", "Scripts/", "Tests/", "Deploy/")

# Pages whose tables have the names of others: their calls, their features, and what was decided against.
FOREIGN = (
    "CHANGELOG.md", "Docs/Decisions/", "Docs/Guide/From", "Docs/Guide/OpenTelemetryApi.md",
    "Docs/Internals/Requirement.md", "Docs/Internals/Specification.md",
    "Sources/Astrolabe/Astrolabe.docc/ComingFromOpenTelemetrySwift.md",
)

# The first parts of keys of records, each of which is one text in the sources. Other names with dots are members.
KEYS = set("""
app astrolabe browser demo device enduser error exception http network os otel process server service url user view
""".split())

# The variables of one signal are those of all signals with its name in them.
SIGNAL = re.compile(r"^(OTEL_EXPORTER_OTLP_)(?:TRACES|LOGS|METRICS)_")

ROW = re.compile(r"^\s*\| *(.*?)(?<!\\) *\|")
ROUTE = re.compile(r"^(?:(?:GET|HEAD|POST|PUT|PATCH|DELETE) )?(/(?:device/)?(?:api|v1)/[^\s?#]*)")
SPAN = re.compile(r"(?<!`)`([^`]+)`(?!`)")
WORD = re.compile(r"[A-Za-z_][\w]*(?:[.-]\w+)*")


def check(root: pathlib.Path, pages: Dict[str, Page]) -> Iterator[Violation]:
    whole, parts = _names(root)
    routes = _routes(root)
    for path, page in pages.items():
        if path.startswith(FOREIGN):
            continue
        for number, line in page.text:
            for span in SPAN.findall(line):
                route = ROUTE.match(span)
                if route and _shape(route[1]) not in routes:
                    yield Violation(path, number, f"names the route {route[1]}, which no server has")
            match = ROW.match(line)
            for span in SPAN.findall(match[1]) if match else []:
                for name in WORD.findall(_code(span)):
                    if not _is_known(name, whole, parts):
                        yield Violation(path, number, f"a table names `{name}`, which is in no source")
        for block in page.blocks:
            for number, line in enumerate(block.lines if block.language == "query" else (), block.line + 1):
                for name in WORD.findall(_code(line)):
                    if not _is_known(name, whole, parts):
                        yield Violation(path, number, f"a query names {name}, which is in no source")


def _code(span: str) -> str:
    """A name without what stands for something else: the text of strings, placeholders and ranges."""
    texts = r"\"[^\"]*\"|'[^']*'|<[^>]*>|\{[^}]*\}|:\w+|%\w|https?://\S+|\d{4}-\d\d-\d\dT[\d:]+Z?"
    return re.sub(texts, " ", ROUTE.sub(" ", span))


def _is_known(name: str, whole: Set[str], parts: Set[str]) -> bool:
    if name in whole or (re.fullmatch(r"\w+", name) and (name in parts or len(name) < 3)):
        return True
    if re.fullmatch(r"[A-Z0-9]+(?:_[A-Z0-9]+)+", name):
        return SIGNAL.sub(r"\1", name) in whole
    pieces = re.split(r"[.-]", name)
    is_key = "." in name and name == name.lower() and pieces[0] in KEYS
    return not is_key and all(piece in parts or len(piece) < 3 or piece.isdigit() for piece in pieces)


def _shape(route: str) -> str:
    """A route without the names of its parameters."""
    return re.sub(r"\{[^}]*\}|<[^>]*>|:\w+|…", "{}", route).rstrip("/.,")


def _routes(root: pathlib.Path) -> Set[str]:
    found: Set[str] = set()
    for folder in ("Sources", "Tools", "Examples"):
        for file in sorted((root / folder).rglob("*.swift")):
            text = file.read_text(encoding="utf-8")
            found.update(_shape(route) for route in re.findall(r'"(/[\w{}:/.-]*)[?"]', text))
            found.update("/device" + _shape(route) for route in re.findall(r'"(/api/[\w{}:/.-]*)[?"]', text))
    return found


def _names(root: pathlib.Path) -> Tuple[Set[str], Set[str]]:
    """The names with dots in the sources, and their parts."""
    whole: Set[str] = set()
    parts: Set[str] = set()
    for path in tracked(root):
        file = root / path
        is_source = path.endswith(SOURCES) or "." not in path.rpartition("/")[2]
        if not is_source or not path.startswith((*FOLDERS, ".")) and "/" in path:
            continue
        try:
            text = file.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for name in set(WORD.findall(text)):
            whole.add(name)
            # `astrolabe.app.*` stands for several.
            while "." in name:
                name = name.rpartition(".")[0]
                whole.add(name)
        parts.update(re.findall(r"[A-Za-z_]\w*", text))
        parts.update(re.split(r"[./-]", path))
    return whole, parts
