"""Finds calls of an app's code while a lock is held: its closures, its processors, and records, which pass through
these.

An app may do anything there, such as wait for a thread that waits for the lock. What a task does runs later and is
lawful. A debug build finds the calls that are made through other functions: see `Sources/Platform/LockRule.swift`.
"""

import re
from typing import Iterator, Tuple

from law.swift_source import SwiftSource
from law.violation import Violation

_MESSAGE = "is called while a lock is held; collect what is to be done, release the lock, and do it then"
_LOCK = re.compile(r"\bwithLock\s*(?:\(\s*)?\{")
_TASK = re.compile(r"\bTask(?:\s*\.\s*detached)?\s*(?:\([^(){}]*\))?\s*\{")
_CALL = re.compile(
    # Closures of the configuration.
    r"(?<!func )\b(onDiagnostic|onSilence|onRedaction|beforeSend|requestHeaders)\s*\("
    # Requirements of protocols that an app implements.
    r"|\.\s*(onStart|onEnd|onEmit|shouldSample|wireframe)\s*\("
    # What makes a record.
    r"|\.\s*(emit|startSpan|withSpan|recordError)\s*\("
)


def check(path: str, source: SwiftSource) -> Iterator[Violation]:
    if "withLock" not in source.code:
        return
    code = _without_tasks(source.code)
    for start, end in _bodies(code):
        for match in _CALL.finditer(code, start, end):
            name = next(name for name in match.groups() if name)
            line = code.count("\n", 0, match.start()) + 1
            yield Violation(path, line, f"{name} {_MESSAGE}")


def _without_tasks(code: str) -> str:
    """The code with the bodies of its tasks blanked, their line ends kept."""
    position = 0
    while match := _TASK.search(code, position):
        end = _closing(code, match.end())
        body = re.sub(r"[^\n]", " ", code[match.end() : end])
        code = code[: match.end()] + body + code[end:]
        position = end
    return code


def _bodies(code: str) -> Iterator[Tuple[int, int]]:
    for match in _LOCK.finditer(code):
        yield match.end(), _closing(code, match.end())


def _closing(code: str, position: int) -> int:
    """Where the block closes that has opened before `position`."""
    depth = 1
    for match in re.compile(r"[{}]").finditer(code, position):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return match.start()
    return len(code)
