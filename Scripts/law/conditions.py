"""Evaluates `#if` for Apple platforms, so that Linux can check what Apple's compilers see."""

import re
from typing import Dict, Iterator, List, NamedTuple, Optional

PLATFORMS = {
    "iOS": {"os(iOS)"},
    "macOS": {"os(macOS)", "os(OSX)"},
    "tvOS": {"os(tvOS)"},
    "visionOS": {"os(visionOS)"},
}
_ABSENT = {"Glibc", "Musl", "Android", "Bionic", "FoundationNetworking", "WinSDK", "CRT", "WASILibc"}
_ONLY_ON = {
    "UIKit": {"iOS", "tvOS", "visionOS"},
    "WebKit": {"iOS", "macOS", "visionOS"},
    "CoreTelephony": {"iOS"},
    "AppKit": {"macOS"},
    "Cocoa": {"macOS"},
}
_DIRECTIVE = re.compile(r"^\s*#(?:else)?if\b.*$", re.MULTILINE)
_SYSTEM = re.compile(r"\b(?:os|canImport)\s*\([^()]*\)")
_TOKEN = re.compile(r"\s*(\|\||&&|!|\(|\)|\w+\s*\((?:[^()]*)\)|\w+)")


class Block(NamedTuple):
    """One `#if … #endif`: its lines, and for each branch the platforms that may compile it."""

    first: int
    last: int
    branches: List["Branch"]


class Branch(NamedTuple):
    """A branch from its `#if`, `#elseif` or `#else` on, to the line before the next."""

    first: int
    last: int
    platforms: frozenset


def evaluate(condition: str, platform: str) -> Optional[bool]:
    """Returns whether a condition holds on a platform, or None if that depends on more than the platform."""
    tokens = _TOKEN.findall(condition)

    def disjunction() -> Optional[bool]:
        value = conjunction()
        while tokens and tokens[0] == "||":
            tokens.pop(0)
            other = conjunction()
            value = True if value or other else (None if value is None or other is None else False)
        return value

    def conjunction() -> Optional[bool]:
        value = factor()
        while tokens and tokens[0] == "&&":
            tokens.pop(0)
            other = factor()
            value = False if value is False or other is False else (None if value is None or other is None else True)
        return value

    def factor() -> Optional[bool]:
        token = tokens.pop(0) if tokens else ""
        if token == "!":
            value = factor()
            return None if value is None else not value
        if token == "(":
            value = disjunction()
            if tokens:
                tokens.pop(0)
            return value
        return _atom(token.replace(" ", ""), platform)

    return disjunction()


def _atom(token: str, platform: str) -> Optional[bool]:
    if token in ("true", "false"):
        return token == "true"
    if token.startswith("os("):
        return token in PLATFORMS[platform]
    if token.startswith("canImport("):
        name = token[len("canImport(") :].split(",")[0].rstrip(")")
        return name not in _ABSENT and platform in _ONLY_ON.get(name, PLATFORMS)
    return None


def decided(text: str, platform: str) -> str:
    """Returns Swift code in which what `#if` asks about the system and its modules is decided for a platform."""

    def decide(line: re.Match) -> str:
        return _SYSTEM.sub(lambda match: "true" if _atom(match[0].replace(" ", ""), platform) else "false", line[0])

    return _DIRECTIVE.sub(decide, text)


def blocks(code: str) -> List[Block]:
    """Returns the `#if` blocks of Swift code, comments and texts blanked. Inner blocks know their outer ones."""
    found: List[Block] = []
    open_blocks: List[Dict] = []
    for number, line in enumerate(code.split("\n"), start=1):
        directive = line.strip()
        if directive.startswith("#if"):
            outer = open_blocks[-1]["now"] if open_blocks else frozenset(PLATFORMS)
            open_blocks.append({"first": number, "left": outer, "branches": [], "outer": outer})
            _begin(open_blocks[-1], number, directive[len("#if") :])
        elif not open_blocks:
            continue
        elif directive.startswith("#elseif"):
            _end(open_blocks[-1], number)
            _begin(open_blocks[-1], number, directive[len("#elseif") :])
        elif directive.startswith("#else"):
            _end(open_blocks[-1], number)
            _begin(open_blocks[-1], number, "true")
        elif directive.startswith("#endif"):
            block = open_blocks.pop()
            _end(block, number)
            found.append(Block(block["first"], number, block["branches"]))
    return found


def _begin(block: Dict, number: int, condition: str) -> None:
    block["start"] = number
    values = {platform: evaluate(condition, platform) for platform in block["left"]}
    block["now"] = frozenset(platform for platform, value in values.items() if value is not False)
    block["left"] = frozenset(platform for platform, value in values.items() if value is not True)


def _end(block: Dict, number: int) -> None:
    block["branches"].append(Branch(block["start"], number - 1, block["now"]))


def platforms_by_line(code: str) -> Iterator[frozenset]:
    """Returns for each line the Apple platforms that may compile it."""
    found = [frozenset(PLATFORMS)] * (code.count("\n") + 1)
    for block in reversed(blocks(code)):
        for branch in block.branches:
            for number in range(branch.first, branch.last + 1):
                found[number - 1] = found[number - 1] & branch.platforms
    return found
