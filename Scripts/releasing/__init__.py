"""The parts of Scripts/release."""

import pathlib
import subprocess

# Where this repository is, and where the SDK alone is, which adopters add: Docs/Decisions/0056-mirror.md.
REPOSITORY = "https://github.com/astrolabe-telemetry/astrolabe"
MIRROR = "https://github.com/astrolabe-sdk/astrolabe"


class ReleaseError(Exception):
    """What is wrong, what was expected, and what to do."""


def git(folder: pathlib.Path, *arguments: str, **options) -> str:
    """Runs git in a folder and returns its output without the last line's end."""
    command = ["git", "-C", str(folder), *arguments]
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, **options)
    if ended.returncode != 0:
        raise ReleaseError(f"git {arguments[0]} failed in {folder}: {ended.stderr.strip()}")
    return ended.stdout.rstrip("\n")
