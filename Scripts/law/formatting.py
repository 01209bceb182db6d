"""Runs swift format on the Swift sources that have changed since it last found nothing in them."""

import hashlib
import os
import pathlib
import re
import subprocess
from typing import Callable, List, NamedTuple, Sequence, Set

from law.style import files

CACHE = ".astrolabe/formatted"
LINT = ("lint", "--strict", "--parallel")
REPAIR = ("format", "--in-place", "--parallel")
# swift format opens all of its files at once. A user may open 256 on a Mac, and 1024 on Linux.
BATCH = 200

_FINDING = re.compile(r"^(.+?):\d+:\d+: (?:error|warning): ")


class Result(NamedTuple):
    """How swift format ended, and what it printed."""

    status: int
    output: str


def swift_format(root: pathlib.Path, arguments: List[str]) -> Result:
    ended = subprocess.run(
        ["swift", "format", *arguments], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        check=False,
    )
    return Result(ended.returncode, ended.stdout)


def check(root: pathlib.Path, run: Callable[[pathlib.Path, List[str]], Result] = swift_format) -> Result:
    """Lints the sources that have changed. The format of the others is right: they have passed before."""
    sources = {path: _digest(root / path) for path in _sources(root)}
    if not sources:
        return Result(1, "no Swift sources to check\n")
    key = _key(root, run)
    passed = _read(root, key)
    changed = [path for path, digest in sources.items() if digest not in passed]
    result = _in_batches(root, run, LINT, changed)
    wrong = _wrong(result, set(changed))
    _write(root, key, {digest for path, digest in sources.items() if path not in wrong})
    return result


def repair(root: pathlib.Path, run: Callable[[pathlib.Path, List[str]], Result] = swift_format) -> Result:
    """Formats the sources that have changed, in place."""
    passed = _read(root, _key(root, run))
    changed = [path for path in _sources(root) if _digest(root / path) not in passed]
    return _in_batches(root, run, REPAIR, changed)


def _in_batches(
    root: pathlib.Path, run: Callable[[pathlib.Path, List[str]], Result], command: Sequence[str], paths: List[str]
) -> Result:
    results = [run(root, [*command, *paths[first : first + BATCH]]) for first in range(0, len(paths), BATCH)]
    status = next((result.status for result in results if result.status != 0), 0)
    return Result(status, "".join(result.output for result in results))


def _sources(root: pathlib.Path) -> List[str]:
    return [path for path in files(root) if path.endswith(".swift") and (root / path).exists()]


def _digest(file: pathlib.Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _key(root: pathlib.Path, run: Callable[[pathlib.Path, List[str]], Result]) -> str:
    """Changes with the configuration and with swift format."""
    configuration = root / ".swift-format"
    text = configuration.read_bytes() if configuration.exists() else b""
    return hashlib.sha256(text + run(root, ["--version"]).output.encode("utf-8")).hexdigest()


def _wrong(result: Result, changed: Set[str]) -> Set[str]:
    """The files with findings, or all of them if the output does not say which."""
    if result.status == 0:
        return set()
    named = [match[1] for match in map(_FINDING.match, result.output.split("\n")) if match]
    others = any("error:" in line and not _FINDING.match(line) for line in result.output.split("\n"))
    return set(named) if named and not others and changed.issuperset(named) else changed


def _read(root: pathlib.Path, key: str) -> Set[str]:
    try:
        first, *digests = (root / CACHE).read_text(encoding="utf-8").split()
    except (OSError, ValueError):
        return set()
    return set(digests) if first == key else set()


def _write(root: pathlib.Path, key: str, digests: Set[str]) -> None:
    file = root / CACHE
    file.parent.mkdir(exist_ok=True)
    new = file.with_suffix(".new")
    new.write_text("\n".join([key, *sorted(digests)]) + "\n", encoding="utf-8")
    os.replace(new, file)
