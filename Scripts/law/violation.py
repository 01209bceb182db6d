"""One broken rule, and how it is told to a person and an editor."""

import sys
from typing import Iterable, NamedTuple


class Violation(NamedTuple):
    """A rule broken at a line, counted from 1, of a file, named from the root of the repository."""

    path: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


def report(violations: Iterable[Violation]) -> int:
    """Prints each violation once, by file and line; returns the status to exit with."""
    found = sorted(set(violations))
    for violation in found:
        print(violation, file=sys.stderr)
    return 1 if found else 0
