"""Finds what is newer than the iOS that an app supports, among Apple's API for Swift and SwiftUI."""

import pathlib
import re
from typing import List, Sequence

from law import availability, swift_source
from law.violation import Violation

STAND_IN = "Tools/Simulator/Sources/SwiftUI"

_MARK = re.compile(
    r"^ *@available\(iOS (?P<version>[\d.]+), [^)]*\*\)\n"
    r"(?: *@\w+(?:\([^)]*\))?\n)*"
    r" *public (?:static )?(?P<kind>struct|class|enum|protocol|func|var|let|macro) (?P<name>\w+)",
    re.MULTILINE,
)
# A closure of `onChange` that gets the old and the new value, or none at all.
_ON_CHANGE = re.compile(
    r"(?P<at>\.)onChange\s*\(\s*of\s*:(?:[^(){}]|\((?:[^(){}]|\([^(){}]*\))*\))*\)\s*\{"
    r"(?:\s*(?:@\w+\s+)?(?:\[[^\]]*\]\s*)?\(?\s*\w+\s*,\s*\w+\s*\)?\s+in\b"
    r"|(?!\s*[\[(\w@][^{}\n]*\bin\b)(?!(?:[^{}]|\{[^{}]*\})*[^}]*\$\d))"
)
_DECLARATION = re.compile(r"^ *(?:@\w+(?:\([^)]*\))? )*public (?:static )?(?:func|var|let) (?P<name>\w+)", re.MULTILINE)


def names_of_stand_in(root: pathlib.Path) -> str:
    """Returns the marked names of the stand-in for SwiftUI, in the form of the table."""
    texts = [file.read_text(encoding="utf-8") for file in sorted((root / STAND_IN).rglob("*.swift"))]
    # Of a member with an older form too, the name says nothing about the version.
    older = set()
    for text in texts:
        marked = {match.start("name") for match in _MARK.finditer(text)}
        older |= {match["name"] for match in _DECLARATION.finditer(text) if match.start("name") not in marked}
    by_version = {}
    for text in texts:
        for match in _MARK.finditer(text):
            is_type = match["name"][0].isupper()
            if not is_type and match["name"] in older:
                continue
            name = match["name"] if is_type else f"View.{match['name']}"
            by_version.setdefault(match["version"], set()).add(name)
    return "".join(f"\niOS {version}\n    {' '.join(sorted(names))}\n" for version, names in by_version.items())


def table(root: pathlib.Path) -> availability.VersionTable:
    text = (root / availability.VERSIONS).read_text(encoding="utf-8") + names_of_stand_in(root)
    since = {"iOS": availability.version("17")}
    name = "onChange(of:) with two values or none"
    return availability.VersionTable(
        text, [availability.NewAPI(name, "onChange", since, "View", "onChange", "", _ON_CHANGE)]
    )


def check(root: pathlib.Path, ios: str, folders: Sequence[pathlib.Path]) -> List[Violation]:
    versions = table(root)
    files = {
        str(path): swift_source.read(path.read_text(encoding="utf-8")).code
        for folder in folders
        for path in sorted(folder.rglob("*.swift"))
    }
    ours = set().union(*(versions.declarations(code).own for code in files.values()))
    supported = {"iOS": availability.version(ios)}
    return sorted({item for path, code in files.items() for item in versions.check(path, code, supported, ours)})
