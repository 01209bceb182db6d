"""Finds tests whose result depends on chance: on the load of the machine, or on what else runs there."""

import re
from typing import Iterator, List, NamedTuple, Set, Tuple

from law.swift_source import SwiftSource
from law.violation import Violation

_SUPPORT = re.compile(r"(?:^|/)Tests/Support/")
_THOROUGH = "Thoroughness.isThorough"

_POLLING = 'polls without a pause; await the event, or use eventually("…") of AstrolabeTestSupport'
_BOUND = "an upper bound on the wall clock fails on a busy machine; judge by events, virtual time or CPU time"
_MINUTE = "a busy machine exceeds one minute; the limit only ends a test that hangs, so give it .minutes(5)"

_LOOP = re.compile(r"\b(?:while|for|repeat)\b")
_YIELDS = re.compile(r"\s*(?:(?:try\s+)?await\s+Task\s*\.\s*yield\(\)[\s;]*)+")
# The longest condition of a loop, in characters.
_LONGEST = 1_000

_TIME = ("Clock", "Date", "DispatchTime", "systemUptime", "timeIntervalSinceNow", "duration(to:", "imeout:")
_NOW = (
    r"(?:(?:Continuous|Suspending)Clock(?:\(\))?\s*\.\s*now|Date\(\)|Date\.now"
    r"|ProcessInfo\.processInfo\.systemUptime|DispatchTime\.now\(\)(?:\.uptimeNanoseconds)?{clocks})"
)
_CLOCK = re.compile(r"\b(?:let|var)\s+(\w+)(?:\s*:[^=\n]+)?\s*=\s*(?:Continuous|Suspending)Clock\(\)")
_VARIABLE = re.compile(r"\b(?:let|var)\s+(\w+)(?:\s*:[^=\n]+)?\s*=(?!=)\s*([^\n]*)")
_RETURN = re.compile(r"\breturn\s+([^\n]*)")
_FUNCTION = re.compile(r"\bfunc\s+(\w+)\b(?!.*\bfunc\b)", re.DOTALL)
# What may stand between a measured value and the bound that it must not reach.
_BELOW = re.compile(r"[\w.()\s/]*?(?<![.<])\s<=?\s")
_ABOVE = re.compile(r"(?:(?:\.\.<|\.\.\.)[^\n]*\.contains\(|(?<!-)>=?)\s*\(*(?:Self\.)?$")
_IN_TIME = re.compile(r"\.wait\((?:wallT|t)imeout:[^\n]*\)\s*==\s*\.success\b")

_PORT = re.compile(r"ort(?:\s*:(?:\s*U?Int(?:16)?\s*=)?|\s*=(?!=)|_t\()\s*([1-9][\d_]*)\b(?!\.)")
_OPTION = re.compile(r'"--(?:[\w-]+-)?port"')
_OPTION_WITH_VALUE = re.compile(r"--(?:[\w-]+-)?port[= ](\d+)\b")
_NUMBER = re.compile(r'"(\d+)"')
# No test may listen below these, and names them as ports where nothing listens.
_FIRST_PORT = 1_024

_PROCESS = re.compile(r"\b(?<!func )((?:un)?setenv|putenv|f?chdir|changeCurrentDirectoryPath)\s*\(")
_LIMIT = re.compile(r"\.timeLimit\(\s*\.minutes\(\s*1\s*\)")


class _Block(NamedTuple):
    """Code in braces: where it starts and ends, and what stands before it."""

    start: int
    end: int
    header: str


class _Loop(NamedTuple):
    """A loop: where it starts, its keyword, its condition and the place of that, and its body."""

    start: int
    keyword: str
    condition: str
    place: Tuple[int, int]
    body: str


def check(path: str, source: SwiftSource) -> Iterator[Violation]:
    """Returns the patterns in a file of tests. The shared tools in Tests/Support are what tests use instead."""
    if _SUPPORT.search(path):
        return
    file = _File(source)
    for position, message in [*file.polls(), *file.bounds(), *file.ports(), *file.process(), *file.limits()]:
        yield Violation(path, source.code.count("\n", 0, position) + 1, message)
    for line, message in _options(source.texts):
        yield Violation(path, line, message)


class _File:
    """A file of tests. Each method returns positions in its code, with messages."""

    def __init__(self, source: SwiftSource):
        # The sentence that names a test has words that are keywords elsewhere.
        self.code = re.sub(r"`[^`\n]*`", lambda match: "_" * len(match[0]), source.code)
        self.has_time = any(word in self.code for word in _TIME)
        clocks = sorted(set(_CLOCK.findall(self.code))) if self.has_time else []
        now = _NOW.format(clocks="".join(rf"|\b{name}\.now\b" for name in clocks))
        measures = "".join(rf"|\b{name}\.measure\b" for name in clocks)
        self.measured = re.compile(
            rf"{now}\s*-\s*(?=[A-Za-z_])\w+(?:\.\w+)*|{now}\.timeIntervalSince\([\w.]+\)"
            rf"|\.duration\(to:\s*(?:\.now|{now})\)|\.timeIntervalSinceNow\b"
            rf"|(?:Continuous|Suspending)Clock\(\)\.measure\b{measures}"
        )
        self.deadline = re.compile(rf"{now}\s*<=?\s*\w|>=?\s*{now}(?!\s*[-+.])")
        self._blocks: List[_Block] = []

    @property
    def blocks(self) -> List[_Block]:
        """All code in braces. Only a file with a suspect is divided."""
        if not self._blocks:
            self._blocks = sorted(_blocks(self.code))
        return self._blocks

    def around(self, position: int) -> List[_Block]:
        """The blocks around a position, from the outermost."""
        return [block for block in self.blocks if block.start < position < block.end]

    def loops(self) -> Iterator[_Loop]:
        for match in _LOOP.finditer(self.code):
            line = self.code.rfind("\n", 0, match.start()) + 1
            if match[0] == "while" and self.code[line : match.start()].rstrip().endswith("}"):
                continue  # the end of a `repeat`
            start = _opening(self.code, match.end())
            if start < 0:
                continue
            end = _closing(self.code, start)
            place = (match.end(), start)
            if match[0] == "repeat":
                place = (end, _end_of_line(self.code, end))
            condition = self.code[place[0] : place[1]]
            yield _Loop(match.start(), match[0], condition, place, self.code[start + 1 : end - 1])

    def polls(self) -> Iterator[Tuple[int, str]]:
        is_suspect = ".yield()" in self.code or re.search(r"\bwhile\b[^\n]*\{\}", self.code)
        if not is_suspect and not (self.has_time and self.deadline.search(self.code)):
            return
        for loop in self.loops():
            # An event that is awaited has its own pause.
            asks = re.search(r"\bawait\b", loop.condition) and ".next(" not in loop.condition
            is_empty = loop.keyword == "while" and not loop.body.strip()
            if (asks and is_empty) or _YIELDS.fullmatch(loop.body) or self.deadline.search(loop.condition):
                yield loop.start, _POLLING

    def bounds(self) -> Iterator[Tuple[int, str]]:
        if not self.has_time:
            return
        found: Set[int] = {match.start() for match in _IN_TIME.finditer(self.code)}
        deadlines = {match.start() for match in self.deadline.finditer(self.code)}
        if deadlines:
            loops = [loop.place for loop in self.loops()]
            found |= {one for one in deadlines if not any(start <= one < end for start, end in loops)}
        for match in self.measured.finditer(self.code):
            if self._is_bounded(match.start(), match.end()):
                found.add(match.start())
        names, functions = self._names()
        for name, block in names:
            found |= self._bounded_uses(rf"(?<![\w.]){name}\b", block.start, block.end)
        for name in functions:
            found |= self._bounded_uses(rf"(?<![\w.])(?:Self\.)?{name}\([^\n]*?\)", 0, len(self.code))
        for position in sorted(found):
            if not any(_THOROUGH in block.header for block in self.around(position)):
                yield position, _BOUND

    def _names(self) -> Tuple[Set[Tuple[str, _Block]], Set[str]]:
        """The variables that hold a measured time, each with its block, and the functions that return one."""
        names: Set[Tuple[str, _Block]] = set()
        functions: Set[str] = set()
        if not self.measured.search(self.code):
            return names, functions
        everything = _Block(-1, len(self.code), "")
        while True:
            before = len(names) + len(functions)
            for match in _VARIABLE.finditer(self.code):
                inner = self.around(match.start())
                if self._holds_time(match[2], match.start(2), names, functions):
                    names.add((match[1], inner[-1] if inner else everything))
            for match in _RETURN.finditer(self.code):
                if self._holds_time(match[1], match.start(1), names, functions):
                    headers = [block.header for block in self.around(match.start())]
                    named = [found[1] for found in map(_FUNCTION.search, headers) if found]
                    functions |= set(named[-1:])
            if len(names) + len(functions) == before:
                return names, functions

    def _holds_time(self, text: str, position: int, names: Set[Tuple[str, _Block]], functions: Set[str]) -> bool:
        """Whether an expression is a measured time. One that only compares a time is none."""
        if re.search(r"[<>]=?\s|==", text):
            return False
        return (
            bool(self.measured.search(text))
            or any(re.search(rf"(?<![\w.])(?:Self\.)?{name}\s*[({{]", text) for name in functions)
            or any(
                block.start < position < block.end and re.match(rf"(?:\w+\()*{name}\b(?![({{])", text)
                for name, block in names
            )
        )

    def _bounded_uses(self, pattern: str, start: int, end: int) -> Set[int]:
        uses = re.compile(pattern).finditer(self.code, max(start, 0), end)
        return {use.start() for use in uses if self._is_bounded(use.start(), use.end())}

    def _is_bounded(self, start: int, end: int) -> bool:
        before = self.code[self.code.rfind("\n", 0, start) + 1 : start]
        after = self.code[end : _end_of_line(self.code, end)]
        return bool(_BELOW.match(after) or _ABOVE.search(before))

    def ports(self) -> Iterator[Tuple[int, str]]:
        for match in _PORT.finditer(self.code):
            is_port = self.code[match.start() - 1] in "pP"
            if is_port and (message := _port(match[1])):
                yield match.start(1), message

    def process(self) -> Iterator[Tuple[int, str]]:
        if not any(word in self.code for word in ("env", "chdir", "CurrentDirectory")):
            return
        for match in _PROCESS.finditer(self.code):
            if not any(".serialized" in block.header for block in self.around(match.start())):
                message = f"{match[1]} changes the whole process; use a child process, or .serialized"
                yield match.start(), message

    def limits(self) -> Iterator[Tuple[int, str]]:
        for match in _LIMIT.finditer(self.code):
            yield match.start(), _MINUTE


def _options(texts: List[Tuple[int, str]]) -> Iterator[Tuple[int, str]]:
    """Finds fixed ports in the arguments of a command: `"--port", "8080"` and `"--port=8080"`."""
    for (line, text), (_, following) in zip(texts, texts[1:] + [(0, "")]):
        value = _NUMBER.fullmatch(following) if _OPTION.fullmatch(text) else _OPTION_WITH_VALUE.search(text)
        if value and (message := _port(value[1])):
            yield line, message


def _port(text: str) -> str:
    number = int(text.replace("_", ""))
    if not _FIRST_PORT <= number < 1 << 16:
        return ""
    return f"port {number} may be in use; let the server choose one with port 0"


def _blocks(code: str) -> Iterator[_Block]:
    waiting: List[Tuple[int, str]] = []
    last = 0
    for match in re.finditer(r"[{}]", code):
        if match[0] == "{":
            waiting.append((match.start(), code[last : match.start()]))
        elif waiting:
            start, header = waiting.pop()
            yield _Block(start, match.end(), header)
        last = match.end()


def _opening(code: str, position: int) -> int:
    """Where the body of a loop opens: at the first brace outside of parentheses."""
    depth = 0
    for match in re.compile(r"[(\[{)\]}]").finditer(code, position, min(len(code), position + _LONGEST)):
        if match[0] in "([" or (match[0] == "{" and depth):
            depth += 1
        elif match[0] == "{":
            return match.start()
        else:
            depth -= 1
        if depth < 0:
            break
    return -1


def _closing(code: str, position: int) -> int:
    depth = 0
    for match in re.compile(r"[{}]").finditer(code, position):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return match.end()
    return len(code)


def _end_of_line(code: str, position: int) -> int:
    end = code.find("\n", position)
    return len(code) if end < 0 else end
