"""Links such as ``AttributeKey/sessionID`` in the vocabulary's comments name a declaration that exists."""

import pathlib
import re
from typing import List, Set

from law import swift_source
from law.violation import Violation

FOLDER = "Sources/Semantics"

_LINK = re.compile(r"``(\w+/\w+)(?:\([^`]*\))?``")
# swift-format indents a member by four spaces, so no parser is needed.
_TYPE = re.compile(r"^(?:\w+ )*(?:enum|struct|class|actor|protocol|extension) (\w+)")
_MEMBER = re.compile(r"^    (?:\w+ )*(?:let|var|func|case|enum|struct|typealias) (\w+)")


def check(root: pathlib.Path) -> List[Violation]:
    """Returns each link to a member that no file of the folder declares, and one if the folder has no link."""
    sources = {
        path.relative_to(root).as_posix(): swift_source.read(path.read_text(encoding="utf-8"))
        for path in sorted((root / FOLDER).glob("**/*.swift"))
    }
    declared: Set[str] = set()
    for source in sources.values():
        owner = ""
        for _, line in source.lines:
            if match := _TYPE.match(line):
                owner = match[1]
            elif match := _MEMBER.match(line):
                declared.add(f"{owner}/{match[1]}")
    links = [
        (path, number, link)
        for path, source in sources.items()
        for number, comment in source.comments.items()
        for link in _LINK.findall(comment)
    ]
    if not links:
        return [Violation(FOLDER, 1, "no comment links to a declaration, so nothing was checked")]
    return [
        Violation(path, number, f"``{link}`` is declared nowhere in {FOLDER}")
        for path, number, link in links
        if link not in declared
    ]
