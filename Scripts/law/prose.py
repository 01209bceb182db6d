"""Counts long sentences and words that we do not use, and compares the counts with a baseline that only falls."""

import pathlib
import re
from typing import Callable, Dict, Iterator, List, NamedTuple, Tuple

from law import swift_source
from law.style import files
from law.violation import Violation

BASELINE = "Scripts/prose-baseline.txt"
WORDS = "Scripts/prose-words.txt"
LONGEST = 30  # words in a sentence; the guide asks for 25

_HEADER = """# Sentences over {longest} words, and words that we do not use, for each file that has any. The counts only
# fall: lower them with `Scripts/check-prose --update` after improving a file. A file without a line may have none.
#
#     <long sentences> <words> <file>
"""
_FENCE = re.compile(r"^\s*(?:>\s*)?(?:```|~~~)")
_ITEM = re.compile(r"^\s*(?:>\s*)*(?:[-*+]|\d+[.)])\s+")
_FIELD = re.compile(r"^\s*- (?:Parameters?|Returns|Throws|Note|Important|Warning)?[^:]{0,40}:\s*")
_CODE_SPAN = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
_LINK = re.compile(r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])")
_URL = re.compile(r"https?://\S+|<[^<>\s]+>")
_END = re.compile(r"(?<=[.!?])[\"')\]*_]*\s+(?=[\"'(\[*_“]*[A-Z0-9`“§])")
_WORD = re.compile(r"\w[\w'’./-]*")
_STATEMENT = re.compile(r"^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|DROP|WITH|ALTER|BEGIN|ATTACH|REPLACE)\b")
_SCRIPT = re.compile(
    r"//[^\n]*|/\*.*?\*/|(\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)", re.DOTALL
)
_MARKUP = re.compile(r"</?\w+[ >]|<!|[{;]\s*\n|[{;}]\s*--|:\s*var\(")
_HOLE = re.compile(r"\\\((?:[^()]|\([^()]*\))*\)|\$\{[^{}]*\}")


class Unit(NamedTuple):
    """A paragraph, list item, table cell or text: no sentence crosses its end."""

    line: int
    text: str


class Finding(NamedTuple):
    """A long sentence or a word that we do not use."""

    is_long: bool
    line: int
    message: str


class Word(NamedTuple):
    """A word that we do not use."""

    pattern: re.Pattern
    instead: str


def read_words(text: str) -> List[Word]:
    """Reads the list of words."""
    found = []
    for line in text.split("\n"):
        if line.strip() and not line.startswith("#"):
            pattern, _, instead = line.partition("  ->  ")
            pattern = re.sub(r" +", r"\\s+", pattern.strip())
            found.append(Word(re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE), instead.strip()))
    return found


def read_baseline(text: str) -> Dict[str, Tuple[int, int]]:
    """Reads the counts of each file: long sentences and words."""
    lines = (line.split(" ", 2) for line in text.split("\n") if line.strip() and not line.startswith("#"))
    return {path: (int(long), int(words)) for long, words, path in lines}


def write_baseline(counts: Dict[str, Tuple[int, int]]) -> str:
    """Writes the counts of the files that have any."""
    rows = [f"{long} {words} {path}\n" for path, (long, words) in sorted(counts.items()) if long or words]
    return _HEADER.format(longest=LONGEST) + "\n" + "".join(rows)


def lower(old: Dict[str, Tuple[int, int]], new: Dict[str, Tuple[int, int]]) -> Dict[str, Tuple[int, int]]:
    """Returns the old counts, lowered to the new ones where those are lower."""
    lowered = {}
    for path, (long, words) in old.items():
        now = new.get(path, (0, 0))
        lowered[path] = (min(long, now[0]), min(words, now[1]))
    return lowered


def findings(root: pathlib.Path, words: List[Word]) -> Dict[str, List[Finding]]:
    """Returns what is found in each file that people read."""
    found = {}
    for path in files(root):
        reader = _reader(path)
        if reader:
            text = (root / path).read_text(encoding="utf-8")
            found[path] = [finding for unit in reader(text) for finding in _judge(unit, words)]
    return found


def count(found: Dict[str, List[Finding]]) -> Dict[str, Tuple[int, int]]:
    """Returns the counts of each file."""
    return {
        path: (sum(finding.is_long for finding in each), sum(not finding.is_long for finding in each))
        for path, each in found.items()
    }


def check(found: Dict[str, List[Finding]], baseline: Dict[str, Tuple[int, int]]) -> List[Violation]:
    """Returns all findings of a kind in each file that has more of them than the baseline allows."""
    violations = []
    for path, counts in count(found).items():
        allowed = baseline.get(path, (0, 0))
        for is_long, number, limit in ((True, counts[0], allowed[0]), (False, counts[1], allowed[1])):
            if number <= limit:
                continue
            kind = "long sentences" if is_long else "words that we do not use"
            for finding in found[path]:
                if finding.is_long == is_long:
                    message = f"{finding.message} ({number} {kind} in this file, {limit} allowed)"
                    violations.append(Violation(path, finding.line, message))
    return violations


def _reader(path: str) -> Callable:
    suffix = pathlib.PurePath(path).suffix
    if suffix == ".md":
        return markdown
    if suffix == ".swift":
        return lambda text: swift(text, has_texts="/Tests/" not in "/" + path)
    return script if suffix in (".js", ".mjs") else None


def _judge(unit: Unit, words: List[Word]) -> Iterator[Finding]:
    text = _CODE_SPAN.sub(lambda match: "Code" + "\n" * match[0].count("\n"), unit.text)
    text = _LINK.sub(lambda match: match[1], text)
    text = _URL.sub("link", text)
    start = 0
    for end in [match.end() for match in _END.finditer(text)] + [len(text)]:
        sentence = text[start:end]
        length = len(_WORD.findall(sentence))
        if length > LONGEST:
            line = unit.line + text.count("\n", 0, start)
            opening = " ".join(sentence.split()[:6])
            yield Finding(True, line, f"a sentence of {length} words, over {LONGEST}: '{opening} …'")
        start = end
    for word in words:
        for match in word.pattern.finditer(text):
            line = unit.line + text.count("\n", 0, match.start())
            hit = " ".join(match[0].split())
            yield Finding(False, line, f"'{hit}' is a word that we do not use; write {word.instead}")


def markdown(text: str, first: int = 1) -> Iterator[Unit]:
    """Divides Markdown into its paragraphs, list items, headings and table cells, without code and comments."""
    text = re.sub(r"<!--.*?-->", lambda match: "\n" * match[0].count("\n"), text, flags=re.DOTALL)
    paragraph: List[str] = []
    start = first
    fenced = False
    listed = False

    def close() -> Iterator[Unit]:
        if paragraph:
            yield Unit(start, "\n".join(paragraph))
            paragraph.clear()

    for number, line in enumerate(text.split("\n"), start=first):
        if _FENCE.match(line):
            fenced = not fenced
            yield from close()
        elif fenced:
            continue
        elif not line.strip():
            yield from close()
        elif line.startswith("    ") and not paragraph and not listed:
            continue
        elif line.lstrip().startswith("|"):
            yield from close()
            yield from (Unit(number, cell) for cell in line.split("|") if cell.strip(" :-"))
        elif line.startswith("#") or _ITEM.match(line):
            yield from close()
            listed = not line.startswith("#")
            item = re.sub(r"^#+\s*", "", _FIELD.sub("", line) if _FIELD.match(line) else _ITEM.sub("", line))
            start = number
            paragraph.append(item)
            if not listed:
                yield from close()
        else:
            listed = listed and (line.startswith(" ") or bool(paragraph))
            if not paragraph:
                start = number
            paragraph.append(line)
    yield from close()


def swift(text: str, has_texts: bool = True) -> Iterator[Unit]:
    """Finds the doc comments of Swift, and the texts that people read."""
    source = swift_source.read(text)
    lines: List[str] = []
    start = previous = 0
    for number, comment in sorted(source.comments.items()):
        if not comment.startswith("///"):
            continue
        if lines and number != previous + 1:
            yield from markdown("\n".join(lines), start)
            lines = []
        if not lines:
            start = number
        lines.append(comment[3:].removeprefix(" "))
        previous = number
    yield from markdown("\n".join(lines), start)
    if has_texts:
        for number, literal in source.texts:
            content = literal.strip('#"')
            if "\n" in content:
                lines = (line.strip() for line in content.split("\n"))
                for unit in markdown("\n".join(lines), number):
                    yield from _text(unit.line, unit.text)
            else:
                yield from _text(number, content)


def script(text: str) -> Iterator[Unit]:
    """Finds the texts of JavaScript that people read."""
    for match in _SCRIPT.finditer(text):
        if match[1]:
            yield from _text(text.count("\n", 0, match.start()) + 1, match[1][1:-1])


def _text(line: int, text: str) -> Iterator[Unit]:
    """A text of three words or more. A shorter one is a name; SQL, markup and style sheets are code."""
    filled = _HOLE.sub("value", text)
    if _MARKUP.search(filled):
        return
    if len(re.findall(r"(?<!\S)[A-Za-z][a-z'’]+(?=[\s,.;:!?]|$)", filled)) >= 3 and not _STATEMENT.match(filled):
        yield Unit(line, filled)
