"""The commands that pages show: they exist with their options, and hold in zsh and with the tools of BSD."""

import pathlib
import re
import shlex
from typing import Dict, Iterator, List, Tuple

from law.commands import Program
from law.pages import Block, Page
from law.violation import Violation

# The first words of lines beside the commands of this repository.
KNOWN = set("""
apt-get cd curl do docker done export for git gradle ./gradlew jq objcopy perf post printf python python3 source swift
systemctl systemd-analyze while xcodebuild
""".split())
STAYS = {"console", "demo", "shop-server", "clickhouse", "mcp"}
PLACEHOLDER = re.compile(r"…|(?<!@)example\.com|/path/to/|\bCONSOLE\b")
SHELL = {"sh", "shell", "bash", "zsh"}

# What zsh or a tool of BSD reads otherwise.
DIALECT = (
    (re.compile(r"(?:^|\s)#\s"), "a comment: zsh does not know them at its prompt; say it in the text"),
    (re.compile(r"(?:://|localhost)\S*[?\[*]"), "quote a URL with ?, [ or *: zsh expands it"),
    (re.compile(r"\bsed (?:-[a-zA-Z]*i|--in-place)"), "sed -i: BSD's needs a suffix"),
    (re.compile(r"\bdate (?:-d|--date|-Iseconds)"), "date -d is GNU's"),
    (re.compile(r"\bbase64 -w"), "base64 -w is GNU's"),
    (re.compile(r"\breadlink -f|\brealpath\b"), "readlink -f is GNU's"),
    (re.compile(r"\bgrep -[a-zA-Z]*P"), "grep -P is GNU's"),
    (re.compile(r"\bxargs (?:-d|-r)\b|\btimeout \d|\bstat -c\b|\bhead -n -"), "an option of GNU's tools"),
    (re.compile(r"\becho -[en]\b"), "echo -e differs between shells; use printf"),
)
HISTORY = re.compile(r"\"[^\"]*![A-Za-z0-9][^\"]*\"")
QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
HEREDOC = re.compile(r"<<-?\s*(['\"]?)(\w+)\1")


def check(root: pathlib.Path, pages: Dict[str, Page], program: Program) -> Iterator[Violation]:
    for path, page in pages.items():
        if path.startswith("Docs/Decisions/") or path == "CHANGELOG.md":
            continue
        for block in page.blocks:
            if block.language in SHELL:
                yield from _block(root, block, program)
            elif not block.language and block.lines and _is_ours(block.lines[0]):
                yield Violation(path, block.line, "a block of commands without a language; begin it with ```sh")
        paragraphs = " ".join(line for _, line in page.text)
        for span in re.findall(r"(?<!`)`([^`]+)`(?!`)", paragraphs):
            if _is_ours(span):
                number = next((number for number, line in page.text if span[:30] in line), 1)
                for message in _command(root, span, program):
                    yield Violation(path, number, message)


def _is_ours(text: str) -> bool:
    return bool(re.match(r"(?:\./)?astrolabe [a-z-]|Scripts/[\w-]+ -", text.strip()))


def _block(root: pathlib.Path, block: Block, program: Program) -> Iterator[Violation]:
    is_marked = block.mark.startswith("not run: ")
    stays = 0
    code = "\n".join(block.lines)
    for number, line in commands(block):
        for pattern, message in DIALECT:
            if pattern.search(QUOTED.sub("Q", line)):
                yield Violation(block.path, number, message)
        if HISTORY.search(line):
            yield Violation(block.path, number, "! in double quotes is history to zsh and bash; use single quotes")
        for message in _command(root, line, program, is_block=True):
            yield Violation(block.path, number, message)
        match = re.search(r"(?:^|\s)(?:\./)?astrolabe (?:--release )?([a-z-]+)", line)
        if stays and match:
            stays = -1
        if match and match[1] in STAYS and stays == 0:
            stays = 1
    if stays < 0 and "terminal" not in block.before + code:
        yield Violation(block.path, block.line, "a command that does not end, and others: name the terminals before it")
    if PLACEHOLDER.search(code) and not is_marked:
        message = "cannot be run as it is; write <!-- not run: REASON --> before it"
        yield Violation(block.path, block.line, message)
    for name in (match[2] for match in HEREDOC.finditer(code)):
        if not any(line.strip() == name for line in block.lines):
            yield Violation(block.path, block.line, f"a here-document without its end {name}")
    try:
        shlex.split(HEREDOC.sub("", code), comments=True)
    except ValueError as error:
        yield Violation(block.path, block.line, f"a quotation that does not end: {error}")


def commands(block: Block) -> Iterator[Tuple[int, str]]:
    """The lines that begin a command, continued ones as one, without the bodies of here-documents."""
    end, quoted, collected, start = "", False, "", 0
    for number, line in enumerate(block.lines, block.line + 1):
        if end:
            end = "" if line.strip() == end else end
            continue
        collected, start = (collected + " " + line.strip(), start) if collected else (line.strip(), number)
        quoted = _is_open(collected)
        if line.endswith("\\") or quoted:
            collected = collected.rstrip("\\").rstrip() if line.endswith("\\") else collected
            continue
        if match := HEREDOC.search(line):
            end = match[2]
        if collected:
            yield start, collected
        collected = ""


def _is_open(text: str) -> bool:
    try:
        shlex.split(text, comments=True)
    except ValueError as error:
        return "quotation" in str(error)
    return False


def _command(root: pathlib.Path, line: str, program: Program, is_block: bool = False) -> Iterator[str]:
    """What is wrong with a line of commands."""
    line = re.split(r"\s#\s", line)[0]
    for part in re.split(r"&&|\|\||;|(?<!\S)\|(?!\S)", QUOTED.sub("Q", line)):
        words = part.split()
        while words and (re.match(r"[A-Z_]+=|\w+=", words[0]) or words[0] in ("do", "sudo", "then", "nohup")):
            words.pop(0)
        # sudo -u USER COMMAND
        if words and words[0] == "-u":
            words = words[2:]
        if not words:
            continue
        name = words[0]
        if re.fullmatch(r"(?:\S*/)?astrolabe", name):
            yield from _ours(words[1:], program)
        elif name.startswith("Scripts/") or name.startswith("./Scripts/"):
            file = root / name
            if not file.is_file():
                yield f"no script {name}"
            # It hands its arguments to a program in Kotlin.
            elif name != "Scripts/android":
                known = file.read_text(encoding="utf-8", errors="replace")
                known += "".join(
                    other.read_text(encoding="utf-8")
                    for other in sorted((root / "Scripts").glob("*/*.py")) if other.parent.name != "tests")
                for word in words[1:]:
                    option = re.match(r"--[a-z][a-z-]*", word)
                    if option and option[0] not in known:
                        yield f"{name} has no option {option[0]}"
        elif is_block and name not in KNOWN and not re.match(r"[A-Z_$\"{}()<\.]|\w+\(\)|Q|%s|\.astrolabe", name):
            yield f"an unknown command: {name}; Scripts/law/shell_blocks.py lists the known ones"


def _ours(words: List[str], program: Program) -> Iterator[str]:
    words = [word for word in words if word != "--release"]
    if not words or words[0].startswith(("-", "…", "<", "Q")):
        return
    name = words[0].rstrip(".,")
    if name not in program.names and name not in ("help",):
        yield f"astrolabe has no command {name}"
        return
    children = program.subcommands.get(name, set())
    for index, word in enumerate(words[1:], 1):
        if index == 1 and children and re.fullmatch(r"[a-z]+", word) and name not in ("check", "query"):
            if word not in children:
                yield f"astrolabe {name} has no command {word}"
        option = re.match(r"--?[a-z][a-z-]*", word)
        if option and option[0] not in program.options.get(name, set()):
            yield f"astrolabe {name} has no option {option[0]}"
