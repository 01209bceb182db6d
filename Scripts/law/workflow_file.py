"""The commands of a workflow of GitHub's, with the lines that they stand on. Needs Scripts/requirements-checks.txt."""

import pathlib
from typing import Any, Dict, Iterator, List, NamedTuple

import ruamel.yaml

FOLDER = ".github/workflows"

# How GitHub runs a command whose shell is named by one word: docs.github.com, "Workflow syntax", `steps[*].shell`.
SHELLS = {
    "bash": "bash --noprofile --norc -eo pipefail {0}",
    "sh": "sh -e {0}",
}
# And one that names none.
DEFAULT_SHELL = "bash -e {0}"


class Command(NamedTuple):
    """A `run:` of a step."""

    job: str
    name: str
    text: str
    # The line of the file on which the text begins.
    line: int
    # With `{0}` in the place of the script.
    shell: str
    environment: Dict[str, Any]
    # The step's `if:`, or nothing.
    condition: str


def paths(root: pathlib.Path) -> List[str]:
    """Returns the workflow files, named from the root of the repository."""
    found = [path for path in (root / FOLDER).glob("*") if path.suffix in {".yml", ".yaml"}]
    return sorted(path.relative_to(root).as_posix() for path in found)


def read(text: str) -> Any:
    """Returns the file's values, which know their lines. Throws `ruamel.yaml.error.MarkedYAMLError`."""
    return ruamel.yaml.YAML(typ="rt").load(text)


def commands(workflow: Any) -> Iterator[Command]:
    """Returns every command of the workflow, job after job."""
    for job_name, job in members(workflow, "jobs"):
        for index, step in enumerate(items(job, "steps")):
            if not isinstance(step, dict) or "run" not in step:
                continue
            shell = step.get("shell") or _default_shell(job) or _default_shell(workflow) or DEFAULT_SHELL
            line = step.lc.value("run")[0] + 1
            text = str(step["run"])
            yield Command(
                job_name,
                str(step.get("name", f"step {index + 1}")),
                text,
                # The text of `run: |` begins on the next line.
                line + isinstance(step["run"], ruamel.yaml.scalarstring.LiteralScalarString),
                SHELLS.get(shell, shell),
                {
                    name: value
                    for level in (workflow, job, step)
                    for name, value in members(level, "env")
                },
                str(step.get("if", "")),
            )


def _default_shell(level: Any) -> str:
    run = dict(members(level, "defaults")).get("run")
    return dict(run).get("shell", "") if isinstance(run, dict) else ""


def members(level: Any, key: str) -> Iterator[Any]:
    """Returns the members of a level's mapping, or none if it has no such mapping."""
    value = level.get(key) if isinstance(level, dict) else None
    return iter(value.items() if isinstance(value, dict) else ())


def items(level: Any, key: str) -> List[Any]:
    """Returns the items of a level's list, or none if it has no such list."""
    value = level.get(key) if isinstance(level, dict) else None
    return value if isinstance(value, list) else []
