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
    link = re.compile(r"^\[Unreleased\]: .+$", re.M)
    if not link.search(text):
        raise ReleaseError(f"{PATH} has no link [Unreleased] at its end. Expected [Unreleased]: and an address.")
    text = text.replace("## [Unreleased]\n", f"## [Unreleased]\n\n## [{version}] - {date}\n", 1)
    links = f"[Unreleased]: {REPOSITORY}/compare/{version}...HEAD\n[{version}]: {REPOSITORY}/releases/tag/{version}"
    return link.sub(links, text)
