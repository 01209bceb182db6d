"""The rules of style that neither the compiler nor swift-format knows."""

import os
import pathlib
import re
import subprocess
from typing import Dict, Iterator, List, Optional, Set

from law import chance, locks, swift_source
from law.module_table import PHONE_LAYERS, SDK_LAYERS, ModuleTable
from law.violation import Violation

LONGEST_FILE = 400
LONGEST_LINE = 120
LONG_FILES = "Scripts/long-files.txt"

_CODE_SUFFIXES = {".swift", ".py", ".sh", ".js", ".mjs", ".css", ".html", ".c", ".h"}
_TRAP = re.compile(r"\b(fatalError|preconditionFailure|precondition)\s*\(")
_NEW_API = re.compile(r"\b(InlineArray|RawSpan|MutableSpan|MutableRawSpan|OutputSpan|UTF8Span)\b|@(Observable)\b")
_PACK = re.compile(r"\b(?:struct|class|enum|actor)\s+\w+\s*<[^>{]*\beach\s")
_UNCHECKED = re.compile(r"@unchecked\s+Sendable|nonisolated\(unsafe\)")
# An attempt whose failure leaves no trace: nothing uses the result.
_UNUSED_ATTEMPT = re.compile(
    r"^\s*(?:(?:if|for|while|guard|defer|do|repeat|\}?\s*else)\b.*\{\s*|case\b.*:\s*|_\s*=\s*)?try\?"
)
_SLEEP = re.compile(
    r"\b(?:Task|Thread)\s*\.\s*sleep\b|\b(?:Continuous|Suspending)Clock\(\)\s*\.\s*sleep\b"
    r"|(?<![\w.])(?<!func )(?:u|nano)?sleep\s*\("
)
# The wait that tests use if there is no event.
_PAUSE = "Tests/Support/TestSupport/Eventually.swift"
_TEST_FUNCTION = re.compile(r"@Test\b.*?\bfunc\s+([^\s(<]+)", re.DOTALL)
_NAMED_TEST = re.compile(r"@Test\(\s*\"")
_START = re.compile(r"\bTelemetry\s*\.\s*start\s*\(")
_DESTINATION = re.compile(
    r"\.(?:endpoint|transport)\s*=(?!=)|\.endpoint\?\.url\s*=(?!=)|(?<!health)(?<!replay)\.isEnabled\s*=\s*false"
)
_UNFINISHED = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X)\b")
# A declaration of a stand-in has the name that Apple gave it.
_APPLE_NAME = re.compile(r"swift-format-ignore: (AlwaysUseLowerCamelCase|DontRepeatTypeInStaticProperties)$")
_BANNER = re.compile(r"^(?://\s*(?:MARK:.*[-=*#]{2}|[-=*#~_]{4})|/{5,}\s*$)")
_QUESTION = re.compile(r"^///\s*(Whether|Wh(?:at|ere|ich|om?|ose)(?:ever)?|How)\b")
_OLD_CODE = re.compile(
    r"^//\s*(?:(?:let|var)\s+\w+\s*(?::[^=]+)?=.+|(?:\w+\s+)*func\s+\w+\s*\(.*|import\s+\w+$|return\s+\w+[.(].*\)$"
    r"|(?:if|guard|for|while|switch)\s.*\{$|\}(?:\s*else\s*\{)?$|(?:try\s+|await\s+)*\w+(?:\.\w+)*\(.*\)$)"
)


def check(
    root: pathlib.Path, table: ModuleTable, modules: Dict[str, str], home: Optional[str] = None
) -> List[Violation]:
    """Returns every broken rule in the repository at `root`. `modules` names the module in a folder."""
    found: List[Violation] = []
    private = _private_paths(root, home if home is not None else os.path.expanduser("~"))
    lengths: Dict[str, int] = {}
    for path in files(root):
        try:
            text = (root / path).read_text(encoding="utf-8")
        except (UnicodeDecodeError, FileNotFoundError):
            continue
        found += _machine_paths(path, text, private)
        if not _is_code(path, text):
            continue
        lengths[path] = text.count("\n")
        if path.endswith(".swift"):
            found += _swift(path, text, table, modules)
        else:
            lines = list(enumerate(text.split("\n"), start=1))
            found += _unfinished(path, lines)
            found += _long_lines(path, lines if _is_script(path) else [])
    found += _long_files(root, lengths)
    return found


def files(root: pathlib.Path) -> List[str]:
    """What git would keep; where `root` is no repository, all but hidden folders."""
    command = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    if (root / ".git").exists():
        listed = subprocess.run(command, capture_output=True, check=False)
        if listed.returncode != 0:
            raise SystemExit(f"git could not list the files: {listed.stderr.decode('utf-8', 'replace').strip()}")
        paths = set(listed.stdout.decode("utf-8").split("\0")) - {""}
        return sorted(path for path in paths if not os.path.islink(os.path.join(root, path)))
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [(pathlib.Path(folder) / name).relative_to(root).as_posix() for name in names]
    return sorted(found)


def _is_code(path: str, text: str) -> bool:
    suffix = pathlib.PurePath(path).suffix
    return suffix in _CODE_SUFFIXES or (not suffix and text.startswith("#!"))


def _is_script(path: str) -> bool:
    return pathlib.PurePath(path).suffix in {"", ".py", ".sh"}


def _private_paths(root: pathlib.Path, home: str) -> Set[str]:
    """Paths of the machine the check runs on, which mean nothing on another: the checkout's, and its owner's."""
    shared = set("/ /home /mnt /opt /private/tmp /root /srv /tmp /Users /usr /var /var/tmp".split())
    paths = {str(root), str(root.parent), home.rstrip("/")}
    return {path for path in paths if path.startswith("/") and path not in shared}


def _machine_paths(path: str, text: str, private: Set[str]) -> Iterator[Violation]:
    for name in sorted(private):
        if name not in text:
            continue
        for match in re.finditer(r"(?<![\w.])" + re.escape(name) + r"(?![\w.-])", text):
            line = text.count("\n", 0, match.start()) + 1
            yield Violation(path, line, f"{name} is a path of this machine; write it from the root of the repository")


def _room(path: str) -> str:
    """Returns "Sources" or "Tests", whichever the package of a file keeps it in."""
    return next((part for part in path.split("/") if part in ("Sources", "Tests")), "")


def _module(path: str, modules: Dict[str, str]) -> str:
    """Returns the module that a file belongs to."""
    folders = (parent.as_posix() for parent in pathlib.PurePath(path).parents)
    return next((modules[folder] for folder in folders if folder in modules), "")


def _swift(path: str, text: str, table: ModuleTable, modules: Dict[str, str]) -> Iterator[Violation]:
    source = swift_source.read(text)
    module = _module(path, modules)
    layer = table.layer(module)
    yield from _unfinished(path, source.comments.items())
    yield from _comments(path, source, may_be_exempt=layer == "test-support" or _room(path) != "Sources")
    lines = enumerate(text.split("\n"), start=1)
    yield from _long_lines(path, [(number, line) for number, line in lines if number in source.comments])
    for number, line in source.lines:
        if ", )" in line:
            yield Violation(path, number, "a comma before a parenthesis on its line; the formatter keeps both")
        if layer in SDK_LAYERS and (match := _TRAP.search(line)):
            yield Violation(path, number, f"{match[1]} would take the host app down; {module} is of the SDK")
        if layer in PHONE_LAYERS and (match := _NEW_API.search(line)):
            yield Violation(path, number, f"{match[1] or match[2]} is newer than iOS 16, on which {module} runs")
        if layer in PHONE_LAYERS and _PACK.search(line):
            yield Violation(path, number, f"a type over a parameter pack is newer than iOS 16, on which {module} runs")
        if (match := _UNCHECKED.search(line)) and not _gives_reason(source.comments.get(number, "")):
            yield Violation(path, number, f"{match[0]} needs its reason in a comment on the same line")
        if layer in SDK_LAYERS and _UNUSED_ATTEMPT.search(line) and not _is_explained(number, source):
            message = "nothing uses the result of try?; say in a comment here or above why a failure does not matter"
            yield Violation(path, number, message)
    if _room(path) == "Sources":
        yield from locks.check(path, source)
    if _room(path) == "Tests":
        yield from _tests(path, text, source)
        yield from chance.check(path, source)
        if "/Snippets/" not in path:
            yield from _starts(path, source.code)


def _is_explained(number: int, source: swift_source.SwiftSource) -> bool:
    """Whether a line of code has a comment, or the line above it."""
    return any(_gives_reason(source.comments.get(line, "")) for line in (number, number - 1))


def _gives_reason(comment: str) -> bool:
    return len(re.findall(r"[^\W_]{2,}", comment)) >= 2


def _comments(path: str, source: swift_source.SwiftSource, may_be_exempt: bool) -> Iterator[Violation]:
    code = dict(source.lines)
    for number, comment in source.comments.items():
        if not may_be_exempt and "swift-format-ignore" in comment and not _APPLE_NAME.search(comment):
            yield Violation(path, number, "the format is law in Sources; mend the line instead of exempting it")
        if _BANNER.match(comment):
            yield Violation(path, number, "a banner divides what ought to be two files, or nothing")
        if (match := _QUESTION.match(comment)) and not source.comments.get(number - 1, "").startswith("///"):
            message = f"a doc comment opens with '{match[1]}'; begin with a noun or a verb; with 'True if' for a Bool"
            yield Violation(path, number, message)
        if not comment.startswith("///") and not code[number].strip() and _OLD_CODE.match(comment):
            yield Violation(path, number, "code in a comment; git remembers what was deleted")


def _long_lines(path: str, lines) -> Iterator[Violation]:
    """Lines too long for two files side by side; swift-format sees to those of code without a comment."""
    for number, line in lines:
        if len(line) > LONGEST_LINE:
            yield Violation(path, number, f"{len(line)} columns, over {LONGEST_LINE}")


def _unfinished(path: str, lines) -> Iterator[Violation]:
    for number, line in lines:
        if match := _UNFINISHED.search(line):
            yield Violation(path, number, f"{match[1]} is work left undone; do it, or open an issue for it")


def _tests(path: str, text: str, source: swift_source.SwiftSource) -> Iterator[Violation]:
    for number, line in source.lines:
        if (match := _SLEEP.search(line)) and path != _PAUSE:
            yield Violation(path, number, f"{match[0].strip(' (')} waits for luck; await an event or advance a clock")
        # The documentation shows both frameworks, because apps use both.
        if "/Snippets/" not in path and re.match(r"\s*(?:@\w+\s+)*import\s+XCTest\b", line):
            yield Violation(path, number, "tests are written with Swift Testing, not XCTest")
    for match in _TEST_FUNCTION.finditer(source.code):
        if not match[1].startswith("`") and not _NAMED_TEST.match(text, match.start()):
            line = source.code.count("\n", 0, match.start(1)) + 1
            message = f"the test {match[1]} ought to read as a sentence: func `an empty cart is refused`()"
            yield Violation(path, line, message)


def _starts(path: str, code: str) -> Iterator[Violation]:
    """Starts of the SDK whose function names neither an endpoint nor a transport.

    They send to the default endpoint, where a developer's console may listen.
    """
    for match in _START.finditer(code):
        arguments = _arguments(code, match.end())
        before = code[max(code.rfind("func ", 0, match.start()), 0) : match.start()]
        has_own_transport = "transport:" in arguments and "URLSessionTransport" not in arguments
        if not has_own_transport and not _DESTINATION.search(before):
            line = code.count("\n", 0, match.start()) + 1
            message = "the test sends to the default endpoint; set the endpoint or the transport in the same function"
            yield Violation(path, line, message)


def _arguments(code: str, start: int) -> str:
    """Returns the arguments of a call, from behind its opening parenthesis."""
    depth = 1
    for index in range(start, len(code)):
        depth += {"(": 1, ")": -1}.get(code[index], 0)
        if depth == 0:
            return code[start:index]
    return code[start:]


def _long_files(root: pathlib.Path, lengths: Dict[str, int]) -> Iterator[Violation]:
    allowed: Dict[str, int] = {}
    allow_list = root / LONG_FILES
    lines = allow_list.read_text(encoding="utf-8").split("\n") if allow_list.exists() else []
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.startswith("#"):
            continue
        path, colon, reason = line.partition(": ")
        allowed[path] = number
        if not colon or not reason.strip():
            yield Violation(LONG_FILES, number, f"expected '<path>: <reason>', found '{line}'")
        elif lengths.get(path, 0) <= LONGEST_FILE:
            yield Violation(LONG_FILES, number, f"{path} is no longer over {LONGEST_FILE} lines; delete its exemption")
    for path, length in lengths.items():
        if length > LONGEST_FILE and path not in allowed:
            message = f"{length} lines, over {LONGEST_FILE}: divide the file, or give the reason in {LONG_FILES}"
            yield Violation(path, LONGEST_FILE + 1, message)
