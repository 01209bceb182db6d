"""The versions of the SDK, and the lines of the repository that state one."""

import pathlib
import re
from typing import Dict, NamedTuple

from releasing import MIRROR, ReleaseError

SOURCE = "Sources/Semantics/SDKVersion.swift"
CONSTANT = r'(package static let current = ")([^"]+)(")'

# Semantic versioning, without metadata of a build, by which package managers do not sort.
NUMBER = "0|[1-9][0-9]*"
WORD = f"(?:{NUMBER}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
SEMANTIC = re.compile(rf"({NUMBER})\.({NUMBER})\.({NUMBER})(?:-({WORD}(?:\.{WORD})*))?")

DEPENDENCY = r'\.package\(url: "https://github\.com/[\w-]+/astrolabe", [^\n]+\)'
XCODE_URL = r"(enter\s`)https://github\.com/[\w-]+/astrolabe(`)"
XCODE_RULE = r"\*\*(?:Branch|Up to Next (?:Major|Minor) Version)\*\*(\s)(?:from )?`[^`]+`"


class Line(NamedTuple):
    """A pattern that a file contains once, and what replaces it; `what` names it in an error."""

    path: str
    what: str
    pattern: str
    replacement: str


def order(version: str) -> tuple:
    """A key that sorts versions; one that is not final comes before the final one."""
    match = SEMANTIC.fullmatch(version)
    if not match:
        raise ReleaseError(f'"{version}" is not a semantic version. Expected one such as 0.2.0 or 1.0.0-beta.1.')
    words = match[4].split(".") if match[4] else []
    names = tuple((0, int(word), "") if word.isdigit() else (1, 0, word) for word in words)
    return (*map(int, match.groups()[:3]), not words, names)


def current(root: pathlib.Path) -> str:
    """The version that the SDK's sources state."""
    match = re.search(CONSTANT, (root / SOURCE).read_text(encoding="utf-8"))
    if not match:
        raise ReleaseError(f"{SOURCE} does not state the SDK's version. Expected the constant SDKVersion.current.")
    return match[2]


def lines(version: str) -> list:
    """All lines that a release changes, except those of the changelog."""
    # Before 1.0.0 a minor version may break an app.
    is_stable = order(version)[0] > 0
    requirement = f'from: "{version}"' if is_stable else f'.upToNextMinor(from: "{version}")'
    rule = f"**Up to Next {'Major' if is_stable else 'Minor'} Version**\\1from `{version}`"
    pages = ("README.md", "Sources/Astrolabe/Astrolabe.docc/AddToYourApp.md")
    template = "Tools/Console/Sources/AstrolabeCommands/AppTemplate/Package.swift.template"
    phone = "Android/demo/src/main/kotlin/astrolabe/demo/Phone.kt"
    constants = [
        Line(SOURCE, "the SDK's version", CONSTANT, rf"\g<1>{version}\3"),
        Line(phone, "the SDK's version", r'("telemetry\.sdk\.version" to ")([^"]+)(")', rf"\g<1>{version}\3"),
        Line("Android/gradle.properties", "the version", r"(\nversion=)([^\n]+)(\n)", rf"\g<1>{version}\3"),
    ]
    dependencies = [
        Line(path, "the dependency", DEPENDENCY, f'.package(url: "{MIRROR}", {requirement})')
        for path in (*pages, template)
    ]
    addresses = [Line(path, "the address for Xcode", XCODE_URL, rf"\g<1>{MIRROR}\2") for path in pages]
    return constants + dependencies + addresses + [
        Line(path, "the rule for Xcode", XCODE_RULE, rule) for path in pages
    ]


def stated(root: pathlib.Path, version: str) -> Dict[str, str]:
    """The files that state the version, by path, with the new one in them."""
    texts: Dict[str, str] = {}
    for line in lines(version):
        text = texts.get(line.path) or (root / line.path).read_text(encoding="utf-8")
        texts[line.path], count = re.subn(line.pattern, line.replacement, text)
        if count != 1:
            raise ReleaseError(f"{line.path} states {line.what} {count} times. Expected it once, as: {line.pattern}")
    return texts
