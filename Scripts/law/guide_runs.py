"""The commands that guides show, run in order, each page in a scratch folder of its own."""

import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from typing import Dict, Iterator, List, Sequence, Tuple

from law import shell_blocks
from law.pages import Block, Page
from law.violation import Violation

FIRST = "run first: "
NOT_RUN = "not run: "
FILE = "file: "
PRINTED = "printed"

# Pages for a user. Others are for those who change the code.
GUIDES = re.compile(r"(?:README|CONTRIBUTING|Docs/\w+|Docs/Guide/\w+)\.md$")

# A page that needs longer hangs.
MINUTES = 45

_NAMES = "|".join(sorted(shell_blocks.STAYS - {"mcp"}))
STAYS = re.compile(rf"((?:\w+=\S+ )*)((?:\./)?astrolabe (?:--release )?(?:{_NAMES})\b)")
PORT = re.compile(r"(?:\b(?:localhost|127\.0\.0\.1)|\[::1\]):(\d+)|--(?:\w+-)?port[ =](\d+)")

# What the home of a page has of the user's: SwiftPM's clones of dependencies, and what pip and git are set to.
HOME_FILES = (".cache", ".config/pip", ".gitconfig", ".netrc")

# A clone of this repository is the folder in which a page begins. HTTP errors fail.
PRELUDE = r"""
at=0
processes=
trap 'status=$?; finish' EXIT
finish() {
    for process in $processes; do
        kill "$process" 2>/dev/null || { [ "$status" != 0 ] || status=255; }
    done
    wait
    printf '\036%s %s\n' "$at" "$status"
}
next() {
    [ "$1" = 0 ] || exit "$1"
    at=$2
    printf '\036%s\n' "$at"
}
stays() {
    log=$LOGS/$at.log
    "$@" >"$log" 2>&1 &
    processes="$processes $!"
    until is_ready; do
        # It may have said so since, and ended.
        kill -0 "$!" 2>/dev/null || is_ready || { cat "$log"; exit 1; }
        sleep 0.1
    done
}
is_ready() { grep -qi 'press ctrl-c' "$log"; }
curl() { command curl --fail-with-body "$@"; }
git() {
    case "$*" in
    "clone https://github.com/"*/astrolabe) cd .. ;;
    *) command git "$@" ;;
    esac
}
"""


def is_run(block: Block) -> bool:
    return (
        bool(GUIDES.match(block.path)) and block.language in shell_blocks.SHELL and not block.mark.startswith(NOT_RUN))


def shown(pages: Dict[str, Page]) -> str:
    """All commands that are run."""
    return "\n".join(
        "\n".join([block.mark, *block.lines]) for page in pages.values() for block in page.blocks if is_run(block))


def script(page: Page) -> str:
    """The commands of a page for bash, each preceded by the number of its line."""
    lines = [PRELUDE]
    for block in page.blocks:
        if not is_run(block):
            continue
        if block.mark.startswith(FIRST):
            for command in block.mark[len(FIRST):].split("; "):
                lines += [f"next $? {block.line - 1}", _staying(command)]
        starts = {number for number, _ in shell_blocks.commands(block)}
        is_continued = False
        for number, line in enumerate(block.lines, block.line + 1):
            if number in starts and not is_continued:
                lines.append(f"next $? {number}")
                line = _staying(line)
            lines.append(line)
            is_continued = line.rstrip().endswith(("|", "&&"))
    return "\n".join([*lines, "exit $?", ""])


def _staying(line: str) -> str:
    return STAYS.sub(r"\1stays \2", line, count=1) if " --once" not in line and " --help" not in line else line


def run(root: pathlib.Path, pages: Dict[str, Page], paths: Sequence[str] = ()) -> Iterator[Violation]:
    """Runs the blocks of the pages, or of those named; prints what was run, and what was not and why."""
    # What a page has started is ended on the way out.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    ran = 0
    for path in paths or sorted(pages):
        if path not in pages or not GUIDES.match(path):
            yield Violation(path, 1, "no guide has this name")
            continue
        blocks = [block for block in pages[path].blocks if is_run(block)]
        for block in pages[path].blocks:
            if block.language in shell_blocks.SHELL and block.mark.startswith(NOT_RUN):
                print(f"Not run: {path}:{block.line}: {block.mark[len(NOT_RUN):]}", flush=True)
        if blocks:
            ran += len(blocks)
            found = list(_page(root, pages[path]))
            print(f"{'failed' if found else 'passed'}  {path}, {len(blocks)} blocks", flush=True)
            yield from found
    if not ran:
        yield Violation("Docs", 1, "no block of shell was run")


def _page(root: pathlib.Path, page: Page) -> Iterator[Violation]:
    if taken := list(_taken(page)):
        yield from taken
        return
    with tempfile.TemporaryDirectory(prefix="astrolabe-guide-") as folder:
        status, line, output = _output(root, page, pathlib.Path(folder))
    if status:
        why = "a command before it ended by itself" if status == 255 else f"failed with status {status}"
        last = "\n    ".join(output.get(line, "").strip().splitlines()[-15:])
        yield Violation(page.path, line, f"{why}:\n    {last}")
        return
    yield from differences(page, output)


def _taken(page: Page) -> Iterator[Violation]:
    """Ports that the commands name, at which they would reach another program."""
    for block in filter(is_run, page.blocks):
        for number, line in enumerate([block.mark, "", *block.lines], block.line - 1):
            for port in filter(None, (port for ports in PORT.findall(line) for port in ports)):
                if _listens(int(port)):
                    yield Violation(page.path, number, f"another program listens at port {port}; end it first")


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("localhost", port), timeout=5).close()
    except OSError:
        return False
    return True


def _output(root: pathlib.Path, page: Page, folder: pathlib.Path) -> Tuple[int, int, Dict[int, str]]:
    """The status, the last line that was run, and what each line printed."""
    checkout, home, logs = (folder / name for name in ("astrolabe", "home", "logs"))
    for each in (checkout, home, logs):
        each.mkdir()
    for file in root.iterdir():
        if file.name not in (".astrolabe", ".git"):
            (checkout / file.name).symlink_to(file)
    for block in page.blocks:
        if block.mark.startswith(FILE):
            file = checkout / block.mark[len(FILE):]
            file.parent.mkdir(exist_ok=True)
            file.write_text("\n".join([*block.lines, ""]), encoding="utf-8")
    (pathlib.Path.home() / ".cache").mkdir(exist_ok=True)
    for name in HOME_FILES:
        if (pathlib.Path.home() / name).exists():
            (home / name).parent.mkdir(exist_ok=True)
            (home / name).symlink_to(pathlib.Path.home() / name)
    kept = {
        name: value for name, value in os.environ.items()
        if name == "ASTROLABE_INSTALL" or not name.startswith(("ASTROLABE_", "OTEL_"))
    }
    environment = {**kept, "PATH": f"{checkout}:{kept['PATH']}", "HOME": str(home), "LOGS": str(logs)}
    with open(folder / "output", "w+", encoding="utf-8", errors="replace") as written:
        process = subprocess.Popen(
            [shutil.which("bash") or "bash", "-c", script(page)], cwd=checkout, env=environment, text=True,
            stdin=subprocess.DEVNULL, stdout=written, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            process.wait(60 * MINUTES)
        except subprocess.TimeoutExpired:
            print(f"{page.path} was ended after {MINUTES} minutes", flush=True)
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
        written.seek(0)
        parts = written.read().split("\x1e")[1:]
    output: Dict[int, str] = {}
    for part in parts:
        head, _, text = part.partition("\n")
        number, _, status = head.partition(" ")
        if status:
            return int(status), int(number), output
        output[int(number)] = output.get(int(number), "") + text
    return 124, max(output, default=1), output


def differences(page: Page, output: Dict[int, str]) -> Iterator[Violation]:
    """Lines that a page shows as printed, and that have no line of their form in the output of the block above."""
    printed: List[str] = []
    for block in page.blocks:
        if is_run(block):
            ends = block.line + len(block.lines)
            printed = [form(line) for at in output if block.line <= at <= ends for line in output[at].splitlines()]
        elif block.mark == PRINTED:
            for number, line in enumerate(block.lines, block.line + 1):
                if form(line) not in printed:
                    yield Violation(page.path, number, f"the block above prints no line of this form: {line}")
                else:
                    printed = printed[printed.index(form(line)) + 1 :]


def form(line: str) -> str:
    """A line without what differs from run to run: its times, its ids, its numbers and its padding."""
    line = re.sub(r"\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?", "DATE", line)
    line = re.sub(r"\b(?=[a-f\d]*\d)(?=[a-f\d]*[a-f])[a-f\d]{6,}\b|\b\d{8}\b", "ID", line)
    return re.sub(r"\s+", " ", re.sub(r"\d[\d.,]*(?!\w)|\d+", "0", line)).strip()
