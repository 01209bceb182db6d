"""The rules of workflows and shell scripts, most of which programs of others know.

check-jsonschema holds workflows to GitHub's schema, zizmor to what is safe, and shellcheck the shell scripts and the
commands of workflows to what a shell makes of them. They are beside the Python that runs this:
Scripts/requirements-checks.txt.
"""

import json
import pathlib
import re
import subprocess
import sys
from typing import Any, Dict, Iterator, List, Tuple

from ruamel.yaml.error import MarkedYAMLError

from law import workflow_file
from law.style import files
from law.violation import Violation

_EXPRESSION = re.compile(r"\$\{\{.*?\}\}", re.DOTALL)
_PIN = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-fA-F]{40}")
_VERSION = re.compile(r"\s# v\d+(\.\d+)*$")
_IMAGE = re.compile(r"docker://.+@sha256:[0-9a-f]{64}")
_IGNORED = re.compile(r"#\s*(?:zizmor:\s*ignore\[[^\]]*\]|shellcheck\s(?:.*\s)?disable=\S+)(.*)")
_SHEBANG = re.compile(rb"^#!.*[/ ](?:ba|da|k)?sh\b")
_STEP_OF_PATH = re.compile(r"\.([^.\[]+)|\[(\d+)\]")


def check(root: pathlib.Path) -> List[Violation]:
    """Returns every broken rule in the workflows and the shell scripts of the repository at `root`."""
    paths = workflow_file.paths(root)
    scripts = shell_scripts(root)
    found = []
    if not paths:
        found.append(Violation(workflow_file.FOLDER, 1, "expected workflows to check"))
    if not scripts:
        found.append(Violation(".", 1, "expected shell scripts to check"))
    workflows = {}
    for path in paths:
        text = (root / path).read_text(encoding="utf-8")
        try:
            workflows[path] = workflow_file.read(text)
        except MarkedYAMLError as error:
            line = error.problem_mark.line + 1 if error.problem_mark else 1
            found.append(Violation(path, line, f"not YAML: {error.problem}"))
            continue
        found += _pins(path, text, workflows[path])
        found += _needs(path, workflows[path])
        found += _commands(root, path, workflows[path])
    if workflows:
        wrong = list(_schema(root, workflows))
        found += wrong
        # zizmor reads no workflow that is against the schema.
        if valid := [path for path in workflows if path not in {violation.path for violation in wrong}]:
            found += _safety(root, valid)
    for path in [*paths, *scripts]:
        found += _ignored(path, (root / path).read_text(encoding="utf-8"))
    if scripts:
        found += _shellcheck(root, ["--external-sources", *scripts])
    return found


def shell_scripts(root: pathlib.Path) -> List[str]:
    """Returns the files that git keeps and a shell reads."""
    return [path for path in files(root) if path.endswith(".sh") or _SHEBANG.match(_first_bytes(root / path))]


def _first_bytes(path: pathlib.Path) -> bytes:
    if not path.is_file():
        return b""
    with path.open("rb") as file:
        return file.read(64)


def _tool(root: pathlib.Path, name: str, *arguments: str, stdin: str = "") -> Any:
    """Runs a checker and returns the JSON that it prints, whatever its status."""
    command = [str(pathlib.Path(sys.executable).parent / name), *arguments]
    ended = subprocess.run(command, cwd=root, input=stdin, capture_output=True, text=True, check=False)
    try:
        return json.loads(ended.stdout)
    except json.JSONDecodeError:
        raise SystemExit(f"{name} ended with status {ended.returncode}: {ended.stderr.strip()}") from None


def _pins(path: str, text: str, workflow: Any) -> Iterator[Violation]:
    """A hash says nothing to a reader, nor to who compares it with a release. zizmor finds actions without one."""
    lines = text.split("\n")
    for line, action in _values(workflow, "uses"):
        if _PIN.match(action) and not _VERSION.search(lines[line - 1]):
            yield Violation(path, line, "expected the action's version in a comment: # v1.2.3")
        if action.startswith("docker://") and not _IMAGE.fullmatch(action):
            yield Violation(path, line, "expected an image by its hash: docker://name@sha256:…")


def _values(level: Any, key: str) -> Iterator[Tuple[int, str]]:
    """Returns the values of a key at all levels, with their lines."""
    if isinstance(level, dict) and key in level:
        yield level.lc.value(key)[0] + 1, str(level[key])
    for inner in level.values() if isinstance(level, dict) else level if isinstance(level, list) else ():
        yield from _values(inner, key)


def _needs(path: str, workflow: Any) -> Iterator[Violation]:
    jobs = dict(workflow_file.members(workflow, "jobs"))
    for job in jobs.values():
        needs = job.get("needs") if isinstance(job, dict) else None
        for name in [needs] if isinstance(needs, str) else workflow_file.items(job, "needs"):
            if name not in jobs:
                yield Violation(path, job.lc.key("needs")[0] + 1, f"there is no job '{name}'")


def _ignored(path: str, text: str) -> Iterator[Violation]:
    for number, line in enumerate(text.split("\n"), start=1):
        if (match := _IGNORED.search(line)) and not re.search(r"\w", match[1]):
            yield Violation(path, number, "expected a reason after what is ignored")


def _schema(root: pathlib.Path, workflows: Dict[str, Any]) -> Iterator[Violation]:
    arguments = ["--builtin-schema", "vendor.github-workflows", "--output-format", "json", *workflows]
    for error in _tool(root, "check-jsonschema", *arguments)["errors"]:
        best = error.get("best_deep_match") or error
        path = error["filename"]
        yield Violation(path, _line(workflows[path], best["path"]), f"{best['path']}: {best['message']}")


def _line(value: Any, path: str) -> int:
    """The line of the value that a path like `$.jobs.a.steps[0]` names, or of the nearest that is around it."""
    line = 1
    for key, index in _STEP_OF_PATH.findall(path):
        try:
            line = (value.lc.key(key) if key else value.lc.item(int(index)))[0] + 1
            value = value[key] if key else value[int(index)]
        except (AttributeError, KeyError, IndexError):
            break
    return line


def _safety(root: pathlib.Path, paths: List[str]) -> Iterator[Violation]:
    for finding in _tool(root, "zizmor", "--offline", "--no-config", "--quiet", "--format=json-v1", *paths):
        primary = next(each for each in finding["locations"] if each["symbolic"]["kind"] == "Primary")
        path = primary["symbolic"]["key"]["Local"]["verbatim_path"]
        line = primary["concrete"]["location"]["start_point"]["row"] + 1
        annotation = primary["symbolic"]["annotation"]
        if not finding["ignored"]:
            yield Violation(path, line, f"{finding['desc']}: {annotation} (zizmor: {finding['ident']})")


def _commands(root: pathlib.Path, path: str, workflow: Any) -> Iterator[Violation]:
    for command in workflow_file.commands(workflow):
        program = command.shell.split()[0]
        if program in {"python", "pwsh", "powershell", "cmd"}:
            yield Violation(path, command.line, f"expected a command for a shell, not for {program}")
            continue
        # An expression stands for a word that is not known here.
        text = _EXPRESSION.sub("expression", command.text)
        shell = "sh" if program == "sh" else "bash"
        for found in _shellcheck(root, [f"--shell={shell}", "-"], text):
            yield found._replace(path=path, line=command.line + found.line - 1)


def _shellcheck(root: pathlib.Path, arguments: List[str], stdin: str = "") -> Iterator[Violation]:
    for comment in _tool(root, "shellcheck", "--norc", "--format=json1", *arguments, stdin=stdin)["comments"]:
        yield Violation(comment["file"], comment["line"], f"{comment['message']} (shellcheck: SC{comment['code']})")
