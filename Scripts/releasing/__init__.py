"""The parts of Scripts/release."""

import pathlib
import subprocess
from typing import Iterable

# Where this repository is, and where the SDK alone is, which adopters add: Docs/Decisions/0056-mirror.md.
REPOSITORY = "https://github.com/astrolabe-telemetry/astrolabe"
MIRROR = "https://github.com/astrolabe-telemetry/astrolabe"


class ReleaseError(Exception):
    """What is wrong, what was expected, and what to do."""


def git(folder: pathlib.Path, *arguments: str, **options) -> str:
    """Runs git in a folder and returns its output without the last line's end."""
    command = ["git", "-C", str(folder), *arguments]
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, **options)
    if ended.returncode != 0:
        # Some commands, such as a commit without a change, say why on the standard output.
        reason = ended.stderr.strip() or ended.stdout.strip()
        raise ReleaseError(f"git {subcommand(arguments)} failed in {folder}: {reason}")
    return ended.stdout.rstrip("\n")


def subcommand(arguments: Iterable[str]) -> str:
    """The first word that is neither an option nor the value of -c."""
    words = iter(arguments)
    for word in words:
        if word == "-c":
            next(words)
        elif not word.startswith("-"):
            return word
    return ""
