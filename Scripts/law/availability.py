"""Finds API of Apple's modules for Swift that is newer than the systems that a package supports."""

import re
from typing import Dict, Iterable, Iterator, List, NamedTuple, Set, Tuple

from law import conditions
from law.violation import Violation

VERSIONS = "Scripts/apple-versions.txt"

Version = Tuple[int, ...]
Systems = Dict[str, Version]
# A name and its first label.
Names = Set[Tuple[str, str]]

_BRACE = re.compile(r"[{}]")
_TYPE = ("struct", "class", "enum", "actor", "protocol", "extension")
_HEAD = re.compile(
    r"\b(" + "|".join(_TYPE) + r"|func|init|deinit|subscript|var|let|get|set|if|else|guard|for|while|switch|do|catch)\b"
)
_DECLARATION = re.compile(
    r"\b(?:" + "|".join(_TYPE) + r"|func|init|deinit|subscript|var|let|typealias|associatedtype|import|case|macro)\b"
)
# Where a declaration goes on after the end of a line: what ends a line, or begins the next one.
_GOES_ON = re.compile(r"[-,=:&|+*/<]\s*\n|.\s*\n\s*(?:where\b|async\b|throws\b|rethrows\b|[-{,=:&|?+*/<>.])")
_CHECK = re.compile(r"([#@])(un)?available\s*\(([^()]*)\)")
_SYSTEM = re.compile(r"\b(\w+)\s+([\d.]+)")
_MODULE = r"(?:(?:Swift|_Concurrency|Synchronization|Observation|Foundation|Dispatch|os|System)\.)?"
# Labels that a call omits if the closure stands after the parentheses.
_CLOSURES = {"body", "operation", "where"}
_REST = r"(?:[^;{}()]|\([^;{}()]*\))*"
# What begins a statement whose block could be taken for a closure.
_STATEMENT = re.compile(r"(?<!#)\b(?:if|for|while|switch|guard)\b")
# Where a member follows a value. After a space, as in `case .member`, the type is implied and likely one of ours.
_DOT = r"(?:(?<=[\w)\]>}?!\\])|(?<=[)\]}])\n\s*)(?P<at>\.)"


class NewAPI(NamedTuple):
    """An API, the word that tells it, the systems that have it first, and what it looks like in code."""

    name: str
    word: str
    since: Systems
    owner: str
    member: str
    label: str
    pattern: re.Pattern


class Declarations(NamedTuple):
    """The names of the table that a file declares itself, and those among them that other files see."""

    own: Names
    shared: Names


def version(text: str) -> Version:
    """Returns a version without the zeros at its end, so that 15.0 is 15."""
    numbers = [int(part) for part in text.split(".")]
    while len(numbers) > 1 and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)


class VersionTable:
    """API by the systems that have it first."""

    def __init__(self, text: str, more: Iterable[NewAPI] = ()):
        self.api: List[NewAPI] = list(more)
        since: Systems = {}
        for line in text.split("\n"):
            if line.startswith(" "):
                self.api += [_entry(name, since) for name in line.split()]
            elif line and not line.startswith("#"):
                since = {system: version(number) for system, number in _SYSTEM.findall(line)}
        members = "|".join(sorted({item.member for item in self.api} - {"init"}))
        self._words = re.compile("|".join(sorted({rf"\b{item.word}\b" for item in self.api})))
        self._declaration = re.compile(
            r"(?P<private>\b(?:file)?private\s+(?:static\s+|final\s+|lazy\s+)*)?"
            r"(?:\b(?:struct|class|enum|actor|protocol|typealias|associatedtype|case|func|(?P<value>var|let))\s+"
            rf"(?P<name>{members})|(?P<init>(?<![.\w])init))\b\??(?:<[^>]*>)?(?:\s*\(\s*(?P<label>\w+))?"
        )

    def mentioned(self, code: str) -> List[NewAPI]:
        """Returns the API whose name occurs in a file."""
        words = set(self._words.findall(code))
        return [item for item in self.api if item.word in words]

    def declarations(self, code: str) -> Declarations:
        """Returns the names of the table that a file gives to members and globals of its own."""
        found = Declarations(set(), set())
        for match in self._declaration.finditer(code):
            if match["value"] and not _is_member(code, match.start()):
                continue
            key = (match["name"] or "init", match["label"] or "")
            found.own.add(key)
            if not match["private"]:
                found.shared.add(key)
        return found

    def check(self, path: str, code: str, supported: Systems, ours: Names) -> Iterator[Violation]:
        """Finds newer API in a file. `ours` has the names that may mean something else, because we declare them."""
        for item in self.mentioned(code):
            newer = {name: since for name, since in item.since.items() if supported.get(name, since) < since}
            for place in _uses(code, item, ours) if newer else ():
                line = code.count("\n", 0, place) + 1
                ensured = _ensured(code, place)
                platforms = list(conditions.platforms_by_line(code))[line - 1]
                missing = [
                    name for name, since in newer.items() if name in platforms and ensured.get(name, (0,)) < since
                ]
                if missing:
                    needs, has = _list(missing, newer), _list(missing, supported)
                    yield Violation(path, line, f"{item.name} needs {needs}, and the package supports {has}")


def _entry(name: str, since: Systems) -> NewAPI:
    path, _, rest = name.partition("(")
    owner, _, member = path.rpartition(".")
    labels = [label for label in rest.rstrip(")").split(":") if label]
    arguments = r"\s*\(\s*\)" if rest == ")" else ""
    if name == "[of]":
        return NewAPI(name, "of", since, "", "of", "[", re.compile(r"(?P<at>\[)\s*\w+\s+of\s"))
    if labels:
        arguments = _arguments(labels)
    if labels and labels[-1] in _CLOSURES:
        others = rf"{_arguments(labels[:-1])}{_REST}\)" if labels[1:] else rf"(?:\s*\({_REST}\))?"
        arguments = rf"(?:{arguments}|{others}\s*\{{)"
    if labels and member[0].isupper():
        # What our code may declare in its place is an initializer.
        pattern = rf"(?P<at>(?<![\w.]){_MODULE}{member}(?:<[^<>]*>)?(?:\.init)?|(?<![\w)\]>?!])\.init){arguments}"
        return NewAPI(name, labels[0], since, owner, "init", labels[0], re.compile(pattern))
    if member[0].islower() and owner:
        pattern = rf"{_DOT}{member}\b{arguments}"
    elif owner:
        pattern = rf"(?P<at>\b){owner.rpartition('.')[2]}\.{member}\b"
    else:
        pattern = rf"(?P<at>(?<![\w.])){_MODULE}{member}\b(?!\s*:[^:])"
    return NewAPI(name, member, since, owner, member, labels[0] if labels else "", re.compile(pattern))


def _arguments(labels: List[str]) -> str:
    # Arguments with defaults may come first. If one has no label, the next label tells the function from others.
    first = "" if labels[0] == "_" else rf"(?:[^;{{}}()]*?,\s*)?{labels[0]}\s*:"
    return r"\s*\(\s*" + first + "".join(rf"[^;{{}}]*?\b{label}\s*:" for label in labels[1:] if label != "_")


def _list(names: List[str], versions: Systems) -> str:
    words = [f"{name} {'.'.join(map(str, versions[name]))}" for name in names]
    return " and ".join([word for word in [", ".join(words[:-1]), words[-1]] if word])


def _uses(code: str, item: NewAPI, ours: Names) -> Iterator[int]:
    is_ours = any(name == item.member and item.label in ("", label) for name, label in ours)
    for match in item.pattern.finditer(code):
        if match[0].endswith("{") and _is_block(code, match.end() - 1):
            continue
        # Other types have an array's members for longer, so the type of the value decides if the file tells it.
        name = _type(code, match.start("at")) if item.owner == "Array" else ""
        if name == "Array" or not (name or is_ours):
            yield match.start("at")
    if item.owner == "Array":
        for match in re.finditer(rf"(?<![\w.]){item.member}\b(?!\s*[:(=])", code):
            if _is_in_array(code, match.start()):
                yield match.start()


def _type(code: str, dot: int) -> str:
    """Returns the type that the file declares for the value before a dot, or nothing; `[Int]` is an `Array`."""
    value = re.search(r"\b(\w+)$", code[max(dot - 80, 0) : dot])
    if not value:
        return ""
    name = value[1]
    pattern = re.compile(
        rf"\b{name}\s*:\s*(?:inout\s+)?([A-Z]\w*|\[[^\]:]*\])|\b(?:let|var)\s+{name}\s*=\s*([A-Z]\w*|\[|\w)"
    )
    before = list(pattern.finditer(code, 0, dot - len(name)))
    declared = before[-1] if before else pattern.search(code, dot)
    found = (declared[1] or declared[2]) if declared else ""
    return "Array" if found.startswith("[") else found if found[:1].isupper() else ""


def _is_in_array(code: str, place: int) -> bool:
    """Whether a place is in an `extension Array`."""
    while (place := _enclosing(code, place)) >= 0:
        if re.search(r"\bextension\s+Array\b[^{}]*$", code[:place]):
            return True
    return False


def _is_block(code: str, opening: int) -> bool:
    """Whether a brace opens the block of an `if` or a loop, not a closure."""
    start = max(code.rfind(sign, 0, opening) for sign in "{};") + 1
    return bool(_STATEMENT.search(code, start, opening))


def _is_member(code: str, place: int) -> bool:
    """Whether what stands at a place is outside of functions."""
    opening = _enclosing(code, place)
    if opening < 0:
        return True
    start = max(code.rfind(brace, 0, opening) for brace in "{}") + 1
    words = _HEAD.findall(code[start:opening])
    return bool(words) and words[-1] in _TYPE


def _enclosing(code: str, place: int) -> int:
    """Returns where the block around a place opens, or -1."""
    depth = 0
    while (place := max(code.rfind("{", 0, place), code.rfind("}", 0, place))) >= 0:
        if code[place] == "}":
            depth += 1
        elif depth:
            depth -= 1
        else:
            return place
    return -1


def closing_brace(code: str, opening: int) -> int:
    """Returns where a block that opens at a place closes."""
    depth = 0
    for match in _BRACE.finditer(code, opening):
        depth += 1 if match[0] == "{" else -1
        if not depth:
            return match.start()
    return len(code)


def _body(code: str, place: int, is_declaration: bool) -> int:
    """Returns where the block after a place opens, or where the declaration ends if it has none."""
    depth = 0
    for match in re.compile(r"[()\[\]{}\n]").finditer(code, place):
        sign = match[0]
        if sign == "{" and not depth:
            return match.start()
        depth += (sign in "([{") - (sign in ")]}")
        if depth < 0:
            return match.start()
        if sign == "\n" and is_declaration and not depth and _DECLARATION.search(code, place, match.start()):
            if not _GOES_ON.match(code, len(code[: match.start()].rstrip()) - 1):
                return match.start()
    return len(code)


def _ranges(code: str, check: re.Match) -> List[Tuple[int, int]]:
    """Returns where a check ensures its versions."""
    start = check.end()
    opening = _body(code, start, check[1] == "@")
    closing = closing_brace(code, opening) if code[opening : opening + 1] == "{" else opening
    if check[1] == "@":
        return [(start, closing)]
    is_guard = re.findall(r"\b(guard|if|while)\b", code[: check.start()])[-1:] == ["guard"]
    if is_guard and check[2]:
        return [(opening, closing)]
    if is_guard:
        around = _enclosing(code, check.start())
        return [(start, opening), (closing, closing_brace(code, around) if around >= 0 else len(code))]
    if check[2]:
        is_else = re.compile(r"\}\s*else\b").match(code, closing)
        return [(closing, closing_brace(code, _body(code, is_else.end(), False)))] if is_else else []
    return [(start, closing)]


def _ensured(code: str, place: int) -> Systems:
    """Returns the versions that `if #available`, `guard #available` and `@available` ensure at a place."""
    found: Systems = {}
    for check in _CHECK.finditer(code, 0, place):
        if any(start <= place < end for start, end in _ranges(code, check)):
            for system, number in _SYSTEM.findall(check[3]):
                found[system] = max(version(number), found.get(system, (0,)))
    return found
