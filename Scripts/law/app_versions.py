"""Finds what is newer than the iOS that an app supports, among Apple's API for Swift and SwiftUI."""

import functools
import pathlib
import re
from typing import Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple

from law import availability, swift_source
from law.violation import Violation

STAND_IN = "Tools/Simulator/Sources/SwiftUI"

_TYPES = ("struct", "class", "enum", "protocol", "extension")
_DECLARATION = re.compile(
    r"^ *(?P<attributes>(?:@\w+(?:\((?:[^()]|\([^()]*\))*\))?\s+)*)"
    r"(?P<words>(?:(?:public|static|final|nonisolated|mutating|indirect)(?:\(\w+\))?\s+)*)"
    r"(?P<kind>" + "|".join(_TYPES) + r"|func|var|let|init|case|macro)\b\s*(?P<name>\w+)?",
    re.MULTILINE,
)
_MARK = re.compile(r"@available\(iOS ([\d.]+),")
_BALANCED = r"(?:[^(){}]|\((?:[^(){}]|\((?:[^(){}]|\([^(){}]*\))*\))*\))*"
# A closure of `onChange` that gets the old and the new value, or none at all.
_ON_CHANGE = re.compile(
    r"(?P<at>\.)onChange\s*\(\s*of\s*:(?:[^(){}]|\((?:[^(){}]|\([^(){}]*\))*\))*\)\s*\{"
    r"(?:\s*(?:@\w+\s+)?(?:\[[^\]]*\]\s*)?\(?\s*\w+\s*,\s*\w+\s*\)?\s+in\b"
    r"|(?!\s*[\[(\w@][^{}\n]*\bin\b)(?!(?:[^{}]|\{[^{}]*\})*[^}]*\$\d))"
)


class Declaration(NamedTuple):
    """A public declaration of the stand-in, and the iOS that has it first if it says so."""

    owner: str
    is_static: bool
    name: str
    # The labels of the arguments; those of closures too, which a call may write after its parentheses.
    labels: Tuple[str, ...]
    closures: Tuple[str, ...]
    since: availability.Version
    # Whether all of the owner is as new.
    is_with_owner: bool

    @property
    def is_type(self) -> bool:
        return self.name[0].isupper()


class _Scope(NamedTuple):
    name: str
    kind: str
    since: availability.Version
    end: int


@functools.lru_cache(maxsize=None)
def declarations(root: pathlib.Path) -> Tuple[Declaration, ...]:
    """Returns the public declarations of the stand-in."""
    found = []
    for file in sorted((root / STAND_IN).rglob("*.swift")):
        found += _declarations(swift_source.read(file.read_text(encoding="utf-8")).code)
    new = {item.name: item.since for item in found if item.is_type and item.since}
    return tuple(item._replace(is_with_owner=new.get(item.owner, (99,)) <= item.since) for item in found)


def _declarations(code: str) -> Iterator[Declaration]:
    scopes: List[_Scope] = []
    for match in _DECLARATION.finditer(code):
        while scopes and scopes[-1].end < match.start():
            scopes.pop()
        around = scopes[-1] if scopes else _Scope("", "", (), len(code))
        mark = _MARK.search(match["attributes"])
        since = availability.version(mark[1]) if mark else around.since
        kind, name = match["kind"], match["name"] or ""
        if kind in _TYPES:
            opening = code.find("{", match.end())
            scopes.append(_Scope(name, kind, since, availability.closing_brace(code, opening)))
        # Names with an underscore are the stand-in's own.
        if (around.name + " " + name).startswith("_") or name.startswith("_"):
            continue
        if kind == "case" and around.kind == "enum" and name:
            line = code[match.start("name") : code.index("\n", match.end())]
            for item in re.findall(r"(?:^|, )(\w+)", line):
                yield Declaration(around.name, True, item, (), (), since, False)
        elif "public" in match["words"] and kind not in ("extension", "case") and (name or kind == "init"):
            labels, closures = _labels(code, match.end()) if kind in ("func", "init") else ((), ())
            is_static = "static" in match["words"]
            yield Declaration(
                around.name, is_static, "init" if kind == "init" else name, labels, closures, since, False
            )


def _labels(code: str, place: int) -> Tuple[Tuple[str, ...], Tuple[str, ...]]:
    """Returns the labels of all parameters, and those of closures."""
    opening = code.index("(", place)
    depth, parts = 0, [""]
    for sign in code[opening:].replace("->", "=~"):
        depth += (sign in "([<{") - (sign in ")]>}")
        if not depth:
            break
        if sign == "," and depth == 1:
            parts.append("")
        else:
            parts[-1] += sign
    parts[0] = parts[0][1:]
    words = [(re.search(r"\w+", re.sub(r"@\w+(?:<[^<>]*>)?", "", part)), part) for part in parts]
    labels = [(word[0], "=~" in part) for word, part in words if word]
    return tuple(label for label, _ in labels), tuple(label for label, is_closure in labels if is_closure)


def told_apart(item: Declaration, others: Iterable[Declaration]) -> Optional[str]:
    """Returns the label that tells a use from that of an older form, `""` if the name does, `None` if nothing does."""
    older = [other for other in others if other.name == item.name and other.since < item.since]
    if item.name == "init":
        older = [other for other in older if other.owner == item.owner]
    if item.is_static:
        # Where SwiftUI takes a style, a color of UIKit does not fit.
        older = [other for other in older if other.is_static and not other.owner.startswith("UI")]
    if not older:
        return None if item.name == "init" else ""
    known = {label for other in older for label in other.labels}
    new = [label for label in item.labels if label not in known]
    return new[0] if new else None


def names_of_stand_in(root: pathlib.Path) -> str:
    """Returns the marked names of the stand-in for SwiftUI, in the form of the table."""
    known = declarations(root)
    by_version: Dict[str, Set[str]] = {}
    for item in known:
        label = told_apart(item, known) if _is_table_entry(item) else None
        if label is None:
            continue
        name = item.owner if item.name == "init" else item.name if item.is_type else f"View.{item.name}"
        name += f"({label}:)" if label else ""
        by_version.setdefault(".".join(map(str, item.since)), set()).add(name)
    return "".join(f"\niOS {version}\n    {' '.join(sorted(names))}\n" for version, names in by_version.items())


def _is_table_entry(item: Declaration) -> bool:
    # What only a newer type has cannot be reached without it.
    return bool(item.since) and not item.is_static and not item.is_with_owner


class _Argument(NamedTuple):
    """Finds a static member, which an argument of one of our functions may name with a dot alone."""

    pattern: re.Pattern
    calls: Set[str]

    def finditer(self, code: str) -> Iterator[re.Match]:
        return (match for match in self.pattern.finditer(code) if match["call"] in (self.calls | {None}))


def _further(root: pathlib.Path) -> Iterator[availability.NewAPI]:
    """Returns the marked static members, and the closures that a call writes after its parentheses."""
    known = declarations(root)
    calls = {item.name for item in known if item.labels}
    for item in known:
        label = told_apart(item, known) if item.since else None
        if label is None:
            continue
        since = {"iOS": item.since}
        if item.is_static:
            first = r"\s*\(\s*(?!\w+\s*:|\))" if label == "_" else rf"\s*\({_BALANCED}?(?<=[\s(,]){label}\s*:"
            arguments = first if label else ""
            inside = rf"\b(?P<call>\w+)\s*\({_BALANCED}?(?<=[\s(,:?])"
            pattern = re.compile(rf"(?:\b{item.owner}|{inside})(?P<at>\.){item.name}\b{arguments}")
            name = f"{item.owner}.{item.name}" + (f"({label}:)" if label else "")
            argument = _Argument(pattern, calls)
            yield availability.NewAPI(name, item.name, since, item.owner, item.name, label, argument)
        elif label in item.closures:
            owner = item.owner if item.name == "init" else f"{item.owner}.{item.name}"
            pattern = re.compile(rf"\}}\s*(?P<at>{label})\s*:\s*\{{")
            yield availability.NewAPI(f"{owner}({label}:)", label, since, item.owner, item.name, label, pattern)


@functools.lru_cache(maxsize=None)
def table(root: pathlib.Path) -> availability.VersionTable:
    text = (root / availability.VERSIONS).read_text(encoding="utf-8") + names_of_stand_in(root)
    since = {"iOS": availability.version("17")}
    name = "onChange(of:) with two values or none"
    return availability.VersionTable(
        text, [availability.NewAPI(name, "onChange", since, "View", "onChange", "", _ON_CHANGE), *_further(root)]
    )


def check(root: pathlib.Path, ios: str, folders: Sequence[pathlib.Path]) -> List[Violation]:
    versions = table(root)
    files = {
        str(path): swift_source.read(path.read_text(encoding="utf-8")).code
        for folder in folders
        for path in sorted(folder.rglob("*.swift"))
    }
    ours = set().union(*(versions.declarations(code).own for code in files.values()))
    # The names after the first one of a `case` too.
    lines = re.findall(r"\bcase (\w[^\n:{]*)", "\n".join(files.values()))
    ours |= {(name, "") for line in lines for name in re.findall(r", (\w+)", line)}
    supported = {"iOS": availability.version(ios)}
    return sorted({item for path, code in files.items() for item in versions.check(path, code, supported, ours)})
