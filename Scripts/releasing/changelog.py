"""CHANGELOG.md, in the format of Keep a Changelog."""

import re

from releasing import REPOSITORY, ReleaseError

PATH = "CHANGELOG.md"


def section(text: str, version: str) -> str:
    """The entries of a version, or of "Unreleased"."""
    match = re.search(rf"^## \[{re.escape(version)}\][^\n]*\n(.*?)(?=^## \[|^\[[^\]]+\]: |\Z)", text, re.M | re.S)
    if not match:
        raise ReleaseError(f"{PATH} has no section [{version}]. Expected a line that begins with ## [{version}].")
    return match[1].strip()


def cut(text: str, version: str, date: str) -> str:
    """The changelog after the entries below [Unreleased] became those of a version."""
    entries = section(text, "Unreleased")
    if not re.search(r"^- ", entries, re.M):
        raise ReleaseError(f"{PATH} has nothing below [Unreleased]. Describe what the release changes first.")
    if f"## [{version}]" in text:
        raise ReleaseError(f"{PATH} has a section [{version}] already. Choose a later version.")
    heading = f"## [Unreleased]\n\n## [{version}] - {date}\n"
    text = replace(r"^## \[Unreleased\]\n", heading, text, "a heading ## [Unreleased]")
    links = f"[Unreleased]: {REPOSITORY}/compare/{version}...HEAD\n[{version}]: {REPOSITORY}/releases/tag/{version}"
    return replace(r"^\[Unreleased\]: .+$", links, text, "a link [Unreleased]: and an address at its end")


def replace(pattern: str, replacement: str, text: str, expected: str) -> str:
    text, count = re.subn(pattern, replacement, text, flags=re.M)
    if count != 1:
        raise ReleaseError(f"{PATH} has {count} of what it must have once, alone in its line: {expected}.")
    return text
