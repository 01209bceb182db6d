"""The commands of this repository, from the front door and the argument parser, and where each of them is run."""

import pathlib
import re
from typing import Dict, Iterator, List, NamedTuple, Set

from law import swift_source
from law.pages import Page
from law.violation import Violation

FRONT_DOOR = "astrolabe"
PROGRAM = "Tools/Console/Sources/AstrolabeCommands"

# What continuous integration runs: at each change, or once a week.
RUN = (".github/workflows/*.yml", ".ci/run")

# Commands and scripts that need what no runner has, or that are run within another.
NOT_RUN = {
    "help": "it prints the list that this check reads",
    "clickhouse": "the tests of ClickHouse run the script below it",
    "Scripts/clickhouse": "the tests of ClickHouse run it",
    "Scripts/release": "the workflow of releases runs it; it publishes",
    "Scripts/upload-symbols": "needs an archive of Xcode; Scripts/tests run it over one that they make",
    "Scripts/android": "the tests of the house android run it",
    "Scripts/opentelemetry-java": "needs a clone of opentelemetry-java",
    "Scripts/swiftui-support": "a test in Scripts/tests runs it",
    "Scripts/workflow-test": "a test in Scripts/tests runs it",
}

DECLARATION = re.compile(r"@(Option|Flag)\b")
USE = re.compile(r"(?<![\w/.-])(?:\./astrolabe(?: --release)? ([a-z][a-z-]*)|(Scripts/[a-z][\w-]*))(?![\w./-])")

COMMENT = re.compile(r"(?<!\S)#.*")
# Before the name of a command: the beginning of a line or of its part, variables, and what runs a script.
START = (
    r"(?m)(?:^[ \t]*(?:- )?(?:run(?: first)?: )?|[;&|(][ \t]*|\b(?:do|then|else|if) )"
    r"(?:(?:\w+=\S*|begin \"[^\"]*\"|exec|sudo|python3 -B|\"\$\w+\" -B) )*[\"]?(?:\$root/|\./)?")


class Program(NamedTuple):
    # The options of each command of the front door and of the program, with those of its subcommands.
    options: Dict[str, Set[str]]
    subcommands: Dict[str, Set[str]]

    @property
    def names(self) -> Set[str]:
        return set(self.options)


class _Source(NamedTuple):
    options: Set[str]
    # The types of its option groups and subcommands.
    types: Set[str]
    names: List[str]


def load(root: pathlib.Path) -> Program:
    options: Dict[str, Set[str]] = {}
    subcommands: Dict[str, Set[str]] = {}
    files: Dict[str, _Source] = {}
    homes: Dict[str, str] = {}
    for file in sorted((root / PROGRAM).rglob("*.swift")):
        text = file.read_text(encoding="utf-8")
        path = file.as_posix()
        files[path] = _source(text)
        for name in re.findall(r"^(?:package |public )?struct (\w+)", text, re.MULTILINE):
            homes[name] = path
    for path, source in files.items():
        if not source.names or source.names[0] == "astrolabe":
            continue
        name = source.names[0]
        reached, waiting = set(), [path]
        options[name] = {"--help", "-h", "--version"}
        subcommands[name] = set()
        while waiting:
            here = waiting.pop()
            if here in reached:
                continue
            reached.add(here)
            options[name] |= files[here].options
            subcommands[name].update(files[here].names)
            waiting += [homes[each] for each in files[here].types if each in homes]
        subcommands[name].discard(name)
    front = (root / FRONT_DOOR).read_text(encoding="utf-8") if (root / FRONT_DOOR).exists() else ""
    called = [front, *(file.read_text(encoding="utf-8") for file in sorted((root / "Scripts/lib").glob("*.sh")))]
    for script in ("docs", "run-tests", "clickhouse"):
        file = root / "Scripts" / script
        called.append(file.read_text(encoding="utf-8") if file.exists() else "")
    for folder in ("Lab/Sources", "Tools/Console/Sources/QueryBenchmarks"):
        for file in sorted((root / folder).rglob("*.swift")):
            text = file.read_text(encoding="utf-8")
            called += [text, " ".join(_source(text).options)]
    known = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", "\n".join(called)))
    for name in re.findall(r"^  ([a-z-]+)(?:, ([a-z-]+))?", _help(front), re.MULTILINE):
        for each in filter(None, name):
            options.setdefault(each, set())
            options[each] |= known if each not in subcommands or each == "check" else {"--release"}
    return Program(options, subcommands)


def _help(front: str) -> str:
    return front.partition("cat <<EOF")[2].partition("\nEOF")[0]


def _source(text: str) -> _Source:
    found: Set[str] = set()
    for match in DECLARATION.finditer(text):
        position, arguments = match.end(), ""
        if text.startswith("(", position):
            end = swift_source.end_of_parentheses(text, position + 1)
            position, arguments = end, text[position:end]
        named = re.search(r"\bvar (\w+)", text[position : position + 200])
        if custom := re.findall(r'customLong\("([^"]+)"\)', arguments):
            found.update(f"--{name}" for name in custom)
        elif named:
            kebab = re.sub(r"(?<=[a-z0-9])([A-Z])", r"-\1", named[1]).lower()
            found.add(f"--{kebab}")
            if "prefixedNo" in arguments:
                found.add(f"--no-{kebab}")
            if "shortAndLong" in arguments:
                found.add(f"-{kebab[0]}")
        found.update(f"-{name}" for name in re.findall(r'customShort\("(\w)"\)', arguments))
    types = set(re.findall(r"@OptionGroup(?:\([^)]*\))? var \w+: (\w+)", text))
    for listed in re.findall(r"subcommands: \[(.*?)\]", text, re.DOTALL):
        types.update(re.findall(r"(\w+)\.self", listed))
    names = re.findall(r'commandName: "([^"]+)"', text)
    # A nested command is named after its type.
    for listed in re.findall(r"subcommands: \[(.*?)\]", text, re.DOTALL):
        names += [
            name.lower() for name in re.findall(r"(\w+)\.self", listed) if re.search(rf"    struct {name}\b", text)
        ]
    return _Source(found, types, names)


def check(root: pathlib.Path, pages: Dict[str, Page], guides: str) -> Iterator[Violation]:
    """Commands that a page or the help names, and that neither a workflow runs nor a block of `guides`."""
    run = "\n".join(
        file.read_text(encoding="utf-8") for pattern in RUN for file in sorted(root.glob(pattern)) if file.is_file())
    run = COMMENT.sub("", run)
    if re.search(rf"{START}astrolabe check --guides", run):
        run += guides
    # What ./astrolabe runs, above all its checks.
    if (root / FRONT_DOOR).exists():
        run += COMMENT.sub("", (root / FRONT_DOOR).read_text(encoding="utf-8").rpartition("\nEOF")[2])
    for name, (path, line) in sorted(named(root, pages).items()):
        pattern = rf"{name}(?![\w-])" if "/" in name else rf"astrolabe(?: --release)? {name}(?![\w-])"
        if name not in NOT_RUN and not re.search(START + pattern, run):
            message = f"names {name}, which no workflow runs: add it to .github/workflows/commands.yml"
            yield Violation(path, line, message)


def named(root: pathlib.Path, pages: Dict[str, Page]) -> Dict[str, tuple]:
    """The commands and scripts that pages and the help name, each with the first place."""
    found: Dict[str, tuple] = {}
    front = (root / FRONT_DOOR).read_text(encoding="utf-8") if (root / FRONT_DOOR).exists() else ""
    start = front.partition("cat <<EOF")[0].count("\n") + 1
    for number, line in enumerate(_help(front).splitlines(), start):
        if match := re.match(r"  ([a-z-]+)(?:, ([a-z-]+))?  ?", line):
            for name in filter(None, match.groups()):
                found.setdefault(name, (FRONT_DOOR, number))
    for path, page in pages.items():
        if path not in ("README.md", "CONTRIBUTING.md") and not path.startswith("Docs/Guide/"):
            continue
        lines = list(page.text)
        for block in page.blocks:
            lines += [(block.line + index, line) for index, line in enumerate(block.lines, 1)]
        for number, line in lines:
            for match in USE.finditer(line):
                name = match[1] or match[2]
                if match[1] or (root / name).is_file() and (root / name).stat().st_mode & 0o100:
                    found.setdefault(name, (path, number))
    return found
