"""The defaults in tables below Docs are those of the sources; Scripts/table-defaults.txt says where they are."""

import pathlib
import re
from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple, Union

from law import reference
from law.pages import Page, tracked
from law.violation import Violation

PLACES = "Scripts/table-defaults.txt"

# Their rows have other checks.
CONFIGURATION = "Sources/Astrolabe/Astrolabe.docc/Configuration.md"
GENERATED = tuple(reference.PAGES)

UNITS = {
    "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "ns": 1e-9, "ms": 1e-3, "min": 60, "h": 3600,
    "milliseconds": 1e-3, "minutes": 60, "hours": 3600,
}
# What the environment calls values of settings.
WORDS = {"on": "true", "off": "false", "gzip": "true", "always_off": "off"}
NUMBER = re.compile(r"(?<![\w.-])(\d[\d,]*(?:\.\d+)?)(?: ?(KiB|MiB|GiB|ms|min|h)\b)?")
SPAN = re.compile(r"`([^`]+)`")
BEGIN = r"(?:: [\w.]+)? = | \?\? |: \w+ \{ |: "
VALUE = re.compile(
    r"\.(?P<unit>\w+)\((?P<duration>[\d_.]+)\)|(?P<number>\d[\d_]*(?:\.\d+)?)(?: (?P<operator><<|\*) (?P<other>\d+))?"
    r"|\"(?P<text>[^\"]*)\"|(?:\w*\.)*(?P<name>\w+)")

Value = Union[float, str]


class Row(NamedTuple):
    line: int
    first: str
    default: str
    # What the other cells say.
    meaning: str


def rows(page: Page) -> Iterator[Row]:
    """The rows of tables with a column of defaults."""
    columns: Optional[List[str]] = None
    at = -1
    for number, line in page.text:
        if not line.startswith("|"):
            columns = None
            continue
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if columns is None:
            columns = cells
            at = next((index for index, cell in enumerate(cells) if re.match(r"default\b", cell)), -1)
        elif at >= 0 and len(cells) > at and not re.fullmatch(r"[-: ]*", cells[at]):
            yield Row(number, cells[0], cells[at], " ".join(cells[1:]))


def places(root: pathlib.Path) -> Dict[str, Dict[str, str]]:
    found: Dict[str, Dict[str, str]] = {}
    file, page = root / PLACES, ""
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else []:
        if line.startswith("    "):
            name, _, where = line.strip().partition(": ")
            found.setdefault(page, {})[name] = where
        elif not line.startswith("#"):
            page = line
    return found


def check(root: pathlib.Path, pages: Dict[str, Page]) -> Iterator[Violation]:
    known = places(root)
    files: Dict[str, List[str]] = {}
    for path in tracked(root):
        if path.endswith(".swift"):
            files.setdefault(path.rpartition("/")[2], []).append(path)
    used = set()
    for path, page in pages.items():
        if not path.startswith("Docs/") or path in GENERATED:
            continue
        for row in rows(page):
            if not re.search(r"\d|`", row.default):
                continue
            here = known.get(path, {})
            plain = re.sub(r"\[([^\]]*)\]\([^)]*\)|`", r"\1", row.first)
            for name in [plain] if plain in here else SPAN.findall(row.first) or [plain]:
                key = name if name in here else "*"
                used.add((path, key))
                where = here.get(key, "").replace("*", name)
                if not where:
                    yield Violation(path, row.line, f"a default of {name} without a source: add it to {PLACES}")
                    continue
                try:
                    values = [_value(root, files, place) for place in where.split("; ")]
                except LookupError as error:
                    yield Violation(path, row.line, f"{name}: {error.args[0]}; see {PLACES}")
                    continue
                if [_simple(value) for value in _stated(row.default, values)] != [_simple(value) for value in values]:
                    shown = ", ".join(f"{value:,.10g}" if isinstance(value, float) else value for value in values)
                    message = f"says that the default of {name} is {row.default}, the source {shown}"
                    yield Violation(path, row.line, message)
    for path, names in known.items():
        for name in names:
            if (path, name) not in used:
                yield Violation(PLACES, 1, f"{path} has no default of {name}")
    if CONFIGURATION in pages:
        yield from _variables(root, pages[CONFIGURATION])


def _value(root: pathlib.Path, files: Dict[str, List[str]], place: str) -> Value:
    parts = re.fullmatch(r"(?:(\S+) )?([\w+]+\.swift) (.+)", place)
    if not parts:
        raise LookupError(f"no file and text in '{place}'")
    unit, file, before = parts.groups()
    if len(files.get(file, [])) != 1:
        raise LookupError(f"two files {file}" if file in files else f"no file {file}")
    path = files[file][0]
    text = (root / path).read_text(encoding="utf-8")
    line = re.search(rf"(?<!\w){re.escape(before)}(?!\w)(.*)", text)
    begin = re.match(BEGIN, line[1]) if line else None
    match = VALUE.match(line[1], begin.end()) if begin else None
    if not match:
        raise LookupError(f"no value follows {before} in {path}")
    if match["duration"]:
        return float(match["duration"].replace("_", "")) * UNITS.get(match["unit"], 1)
    if match["number"]:
        number = float(match["number"].replace("_", ""))
        if match["operator"]:
            number *= int(match["other"]) if match["operator"] == "*" else 1 << int(match["other"])
        return 2**number if unit == "2^" else number * UNITS.get(unit, 1)
    return match["text"] if match["text"] is not None else match["name"]


def _stated(cell: str, values: List[Value]) -> List[Value]:
    """What a cell says: a name, or its numbers in the units of the sources."""
    cell = re.sub(r"\([^)]*\)", "", cell)
    if isinstance(values[0], str):
        return [(SPAN.findall(cell) or [cell])[-1]]
    numbers = NUMBER.findall(cell.replace("`", ""))
    return [float(digits.replace(",", "")) * UNITS.get(unit, 1) for digits, unit in numbers]


def _simple(value: Value) -> Value:
    """A name without its signs, as `iphone-15-pro` for `iPhone15Pro`."""
    return re.sub(r"\W", "", value).lower() if isinstance(value, str) else round(value, 6)


def _variables(root: pathlib.Path, page: Page) -> Iterator[Violation]:
    """Rows of a variable that one setting's comment names, or of a key that ends in the name of one setting."""
    defaults: Dict[str, List[Tuple[str, str]]] = {}
    for title, _, path in reference.SETTINGS:
        for setting in reference.settings(root, title, path):
            variables = reference.VARIABLE.findall(" ".join(setting.member.doc))
            for name in [setting.name, *(variables if len(variables) == 1 else [])]:
                defaults.setdefault(name, []).append((setting.name, setting.default))
    for row in rows(page):
        names = SPAN.findall(row.first)
        found = defaults.get(names[0].rpartition(".")[2], []) if len(names) == 1 else []
        if len(found) != 1:
            continue
        name, default = found[0]
        there = re.match(r"([\d,.]+)(?: (s|ms|MiB|KiB))?(?: [a-z]+)*$|`(\w+)`$", default)
        here = re.match(r"([\d,.]+)$|`?(\w+)`?$", row.default)
        if not there or not here or bool(there[1]) != bool(here[1]):
            continue
        if here[1]:
            scale = UNITS.get(there[2] or "", 1) / (1e-3 if "milliseconds" in row.meaning else 1)
            same = abs(float(there[1].replace(",", "")) * scale - float(here[1].replace(",", ""))) < 1e-6
        else:
            said = str(here[2] == "false").lower() if "DISABLED" in names[0] else here[2]
            same = there[3] in (said, WORDS.get(said))
        if not same:
            yield Violation(page.path, row.line, f"{names[0]} is {row.default}, and the setting {name} {default}")
