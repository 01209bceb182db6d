"""The rules of the pages' scripts, which TypeScript, eslint and the tests of Tools/JavaScript know."""

import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple

from law.style import files
from law.violation import Violation

FOLDER = "Tools/JavaScript"
PROJECTS = ("Tools/tsconfig.json", "Tools/tsconfig.lib.json")
RULES = "Tools/.eslintrc.json"
LOADER = f"{FOLDER}/assets.mjs"
# The first that lets a script register how modules are found.
OLDEST_NODE = (18, 19)
# Of a processor. A tool takes three on a machine of two slow ones.
MOST_SECONDS = 30

_SCRIPT = re.compile(r"/Sources/[^/]+/Assets/.*\.js$")
_TYPE_ERROR = re.compile(r"^(?P<path>[^(\s][^(]*)\((?P<line>\d+),\d+\): error (?P<message>TS\d+: .*)$")
_FAILED_TEST = re.compile(r"^ *not ok \d+ - (?P<name>.*)$")
_THROWN = re.compile(r"^# \w*Error: ")
_LOCATION = re.compile(r"^ *location: '(?P<path>.*?):(?P<line>\d+):\d+'$")
# Where Debian's eslint finds its modules. The Node of Debian looks there by itself, and others do not.
_MODULES = "/usr/share/nodejs"


class Result(NamedTuple):
    violations: List[Violation]
    # What was not checked, and why.
    notes: List[str]


def check(root: pathlib.Path, is_complete: bool = False) -> Result:
    """Returns every broken rule in the scripts of the pages below `root`.

    A tool that is missing is noted, and with `is_complete` is a violation, as in continuous integration.
    """
    paths = files(root)
    scripts = [path for path in paths if _SCRIPT.search("/" + path)]
    modules = [path for path in paths if path.startswith(f"{FOLDER}/") and path.endswith(".mjs")]
    tests = [path for path in modules if path.endswith(".test.mjs")]
    if not scripts or not tests:
        return Result([Violation(FOLDER, 1, "expected scripts of pages and their tests to check")], [])
    violations: List[Violation] = []
    notes: List[str] = []
    for tool, subject, find in (
        ("tsc", "types", lambda: _types(root)),
        ("eslint", "rules", lambda: _rules(root, [*scripts, *modules])),
        ("node", "tests", lambda: _tests(root, tests)),
    ):
        reason = missing(tool)
        if reason is None:
            violations += find()
        elif is_complete:
            violations.append(Violation(FOLDER, 1, f"{reason}; Debian has it in nodejs, eslint and node-typescript"))
        else:
            notes.append(f"Not checked: the {subject} of the pages' scripts, because {reason}.")
    return Result(violations, notes)


def missing(tool: str) -> Optional[str]:
    """Returns why a tool cannot be used, or nothing if it can."""
    if shutil.which(tool) is None:
        return f"{tool} is not installed"
    if tool == "node" and _node_version() < OLDEST_NODE:
        return f"node is older than {'.'.join(map(str, OLDEST_NODE))}"
    return None


def _node_version() -> Tuple[int, ...]:
    text = subprocess.run(["node", "--version"], capture_output=True, text=True, check=False).stdout
    return tuple(int(part) for part in re.findall(r"\d+", text)[:2])


def _run(root: pathlib.Path, *command: str, **variables: str) -> subprocess.CompletedProcess:
    """Runs a tool. The system ends it, and each process that it starts, after too much work: a test may loop."""
    environment: Dict[str, str] = {**os.environ, **variables}
    return subprocess.run(
        command, cwd=root, env=environment, capture_output=True, text=True, check=False, preexec_fn=_limit_work
    )


def _limit_work() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))


def _types(root: pathlib.Path) -> Iterator[Violation]:
    for project in PROJECTS:
        ended = _run(root, "tsc", "--pretty", "false", "--project", project)
        found = list(filter(None, map(_TYPE_ERROR.match, ended.stdout.split("\n"))))
        for match in found:
            yield Violation(match["path"], int(match["line"]), match["message"])
        if ended.returncode != 0 and not found:
            yield Violation(project, 1, f"tsc: {_last_line(ended)}")


def _rules(root: pathlib.Path, paths: List[str]) -> Iterator[Violation]:
    modules = os.pathsep.join(filter(None, (os.environ.get("NODE_PATH"), _MODULES)))
    command = ("eslint", "--no-eslintrc", "--config", RULES, "--format", "json", *paths)
    ended = _run(root, *command, NODE_PATH=modules)
    try:
        results = json.loads(ended.stdout)
    except json.JSONDecodeError:
        yield Violation(RULES, 1, f"eslint: {_last_line(ended)}")
        return
    for result in results:
        path = pathlib.Path(result["filePath"]).resolve().relative_to(root).as_posix()
        for message in result["messages"]:
            rule = f" ({message['ruleId']})" if message.get("ruleId") else ""
            yield Violation(path, message.get("line") or 1, message["message"] + rule)


def _tests(root: pathlib.Path, tests: List[str]) -> Iterator[Violation]:
    ended = _run(root, "node", "--import", f"./{LOADER}", "--test", "--test-reporter", "tap", *tests)
    if ended.returncode == 0:
        return
    lines = ended.stdout.replace(f"{root}/", "").split("\n")
    found = False
    # What a file wrote that could not be loaded.
    thrown = ""
    for index, line in enumerate(lines):
        if _THROWN.match(line):
            thrown = line[2:]
        match = _FAILED_TEST.match(line)
        if not match:
            continue
        end = next((after for after in range(index, len(lines)) if lines[after].strip() == "..."), len(lines))
        details = lines[index + 1 : end]
        place = next(filter(None, map(_LOCATION.match, details)), None)
        found = True
        path, number = (place["path"], int(place["line"])) if place else (f"{FOLDER}/Tests", 1)
        yield Violation(path, number, f"{match['name']}: {thrown or _error(details)}")
        thrown = ""
    if not found:
        yield Violation(f"{FOLDER}/Tests", 1, f"node: {_last_line(ended)}")


def _error(details: List[str]) -> str:
    """Returns the message of a test that failed, which TAP writes as a text or as a block of lines."""
    for index, line in enumerate(details):
        name, colon, text = line.strip().partition(": ")
        if line.strip().startswith("error:"):
            if colon and text.strip() not in ("|-", "|", ">-"):
                return text.strip().strip("'\"")
            indent = len(line) - len(line.lstrip())
            block = []
            for following in details[index + 1 :]:
                if following.strip() and len(following) - len(following.lstrip()) <= indent:
                    break
                block.append(following.strip())
            return " ".join(filter(None, block))
    return "failed"


def _last_line(ended: subprocess.CompletedProcess) -> str:
    lines = [line for line in (ended.stdout + "\n" + ended.stderr).split("\n") if line.strip()]
    return lines[-1].strip() if lines else f"ended with status {ended.returncode}"
