"""Tells Swift code from its comments and string literals, so that a rule is not broken by a word in a text.

This is no parser: it knows comments (nested ones too), string literals of every form, and regex literals well enough
not to take a quote inside one for the start of a string.
"""

import re
from typing import Dict, List, NamedTuple, Tuple

_STRING_START = re.compile(r'(#*)("""|")')
_PLAIN = re.compile(r'[^"#/]*')
_PLAIN_TEXT = re.compile(r'[^"#\\\n]*')
_REGEX_START = re.compile(r"(#+)/")
_BARE_REGEX = re.compile(r"/(?![\s/*])(?:\\.|[^\\/\n])+/")
_BEFORE_BARE_REGEX = re.compile(r"(?:^|[(\[{,=:;!&|?]|\b(?:return|in|of|case|try|await))\s*$")


class SwiftSource(NamedTuple):
    """Code with all else blanked, the comment of each line that has one, and the string literals with their lines."""

    code: str
    comments: Dict[int, str]
    texts: List[Tuple[int, str]]

    @property
    def lines(self):
        """The lines of code with their numbers, counted from 1."""
        return enumerate(self.code.split("\n"), start=1)


def read(text: str) -> SwiftSource:
    """Splits the text of a file."""
    code = []
    comments: Dict[int, str] = {}
    texts: List[Tuple[int, str]] = []
    position = 0
    line = 1

    def blank(end: int) -> str:
        """Replaces what stands up to `end` by spaces, its line ends kept."""
        return "\n".join(" " * len(part) for part in text[position:end].split("\n"))

    def note(comment: str) -> None:
        for offset, part in enumerate(comment.split("\n")):
            comments[line + offset] = (comments.get(line + offset, "") + " " + part).strip()

    while position < len(text):
        if text.startswith("//", position):
            end = text.find("\n", position)
            end = len(text) if end < 0 else end
            note(text[position:end])
        elif text.startswith("/*", position):
            end = _end_of_block_comment(text, position)
            note(text[position:end])
        elif match := _STRING_START.match(text, position):
            end = _end_of_string(text, match.end(), hashes=match[1], quote=match[2])
            texts.append((line, text[position:end]))
        elif match := _REGEX_START.match(text, position):
            closing = text.find("/" + match[1], match.end())
            end = len(text) if closing < 0 else closing + len(match[1]) + 1
        elif (match := _BARE_REGEX.match(text, position)) and _may_start_regex(text, position):
            end = match.end()
        else:
            end = _PLAIN.match(text, position + 1).end()
            code.append(text[position:end])
            line += text.count("\n", position, end)
            position = end
            continue
        code.append(blank(end))
        line += text.count("\n", position, end)
        position = end
    return SwiftSource("".join(code), comments, texts)


def _may_start_regex(text: str, position: int) -> bool:
    start = text.rfind("\n", 0, position) + 1
    return bool(_BEFORE_BARE_REGEX.search(text[start:position]))


def _end_of_block_comment(text: str, position: int) -> int:
    depth = 0
    for match in re.compile(r"/\*|\*/").finditer(text, position):
        depth += 1 if match[0] == "/*" else -1
        if depth == 0:
            return match.end()
    return len(text)


def _end_of_string(text: str, position: int, hashes: str, quote: str) -> int:
    """The end of a literal whose contents start at `position`; what it interpolates counts as its contents."""
    closing = quote + hashes
    escape = "\\" + hashes
    while (position := _PLAIN_TEXT.match(text, position).end()) < len(text):
        if text.startswith(closing, position):
            return position + len(closing)
        if text[position] == "\n" and quote == '"':
            return position
        if text.startswith(escape + "(", position):
            position = end_of_parentheses(text, position + len(escape) + 1)
        elif text.startswith(escape, position):
            position += len(escape) + 1
        else:
            position += 1
    return position


def end_of_parentheses(text: str, position: int) -> int:
    depth = 1
    while position < len(text) and depth:
        if match := _STRING_START.match(text, position):
            position = _end_of_string(text, match.end(), hashes=match[1], quote=match[2])
            continue
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        position += 1
    return position
