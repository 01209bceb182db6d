"""Finds on Linux what does not compile on Apple platforms."""

import pathlib
import re
from typing import Dict, Iterator, List, NamedTuple, Set

from law import availability, conditions, modules, swift_source
from law.module_table import ModuleTable
from law.packages import Repository, Target
from law.violation import Violation

API = "Scripts/apple-api.txt"
MODULES = "Scripts/apple-modules.txt"
_EXPORT = re.compile(r"@_exported\s+(?:public\s+)?import\s+(?:[a-z]+\s+)?(\w+)")
_PLATFORMS = {name.lower(): frozenset({name}) for name in conditions.PLATFORMS}
_PLATFORMS["apple"] = frozenset(conditions.PLATFORMS)


class Trap(NamedTuple):
    """An API that Apple's compilers refuse on these platforms."""

    platforms: frozenset
    pattern: re.Pattern
    instead: str


def read_api(text: str) -> List[Trap]:
    """Reads the table of API."""
    found = []
    for line in text.split("\n"):
        if line.strip() and not line.startswith("#"):
            rule, _, instead = line.partition("  ->  ")
            platforms, _, pattern = rule.strip().partition(" ")
            found.append(Trap(_PLATFORMS[platforms], re.compile(pattern.strip()), instead.strip()))
    return found


def read_modules(text: str) -> Set[str]:
    """Reads the list of Apple's modules."""
    lines = (line for line in text.split("\n") if not line.startswith("#"))
    return {name for line in lines for name in line.split()}


def check(
    root: pathlib.Path,
    repository: Repository,
    table: ModuleTable,
    api: List[Trap],
    apple: Set[str],
    versions: availability.VersionTable,
) -> List[Violation]:
    """Returns what would not compile on an Apple platform."""
    found: List[Violation] = []
    apple_names = {name.lower(): name for name in apple}
    files = {
        path: swift_source.read((root / path).read_text(encoding="utf-8"))
        for target in repository.targets.values()
        for path in modules.sources(root, target)
    }
    exported = {
        target.name: {name for path in modules.sources(root, target) for name in _EXPORT.findall(files[path].code)}
        for target in repository.targets.values()
    }
    declared = {path: versions.declarations(source.code) for path, source in files.items()}
    shared: Dict[str, set] = {
        target.name: set().union(*(declared[path].shared for path in modules.sources(root, target)))
        for target in repository.targets.values()
    }
    for target in repository.targets.values():
        if table.layer(target.name) == "stand-in" or _needs_stand_in(root, target, repository, table):
            continue
        if name := apple_names.get(target.name.lower()):
            found.append(Violation(target.manifest, 1, f"{target.name} hides Apple's module {name}; rename the target"))
        supported = _supported(repository.systems[repository.home(root, target)])
        for path in modules.sources(root, target):
            source = files[path]
            found += _check_api(path, source.code, api)
            found += _check_imports(path, source, set(repository.targets), table)
            visible = {target.name} | {item.module for item in modules.imports(source, path)}
            visible = visible.union(*(exported.get(module, set()) for module in visible))
            ours = declared[path].own.union(*(shared.get(module, set()) for module in visible))
            found += versions.check(path, source.code, supported, ours)
    return found


def _supported(systems: Dict[str, str]) -> availability.Systems:
    """The oldest version of each system, by the names of `#if os`."""
    return {
        name: availability.version(systems[name.lower()])
        for name in conditions.PLATFORMS
        if name.lower() in systems
    }


def _needs_stand_in(root: pathlib.Path, target: Target, repository: Repository, table: ModuleTable) -> bool:
    """Whether a target exists on Linux only, as the tests of the stand-ins do."""
    names = {name for name in target.targets if table.layer(name) == "stand-in"}
    return bool(names) and repository.home(root, target) == target.package


def _check_api(path: str, code: str, api: List[Trap]) -> Iterator[Violation]:
    # Few lines name any of it, so one search for all comes first.
    any_trap = re.compile("|".join(f"(?:{trap.pattern.pattern})" for trap in api))
    suspects = [(number, line) for number, line in enumerate(code.split("\n"), start=1) if any_trap.search(line)]
    platforms = conditions.platforms_by_line(code) if suspects else []
    for number, line in suspects:
        for trap in api:
            hit = sorted(trap.platforms & platforms[number - 1])
            if hit and (match := trap.pattern.search(line)):
                message = f"{match[0]} does not compile on {_list(hit)}; use {trap.instead}"
                yield Violation(path, number, message)


def _list(names: List[str]) -> str:
    return " and ".join([name for name in [", ".join(names[:-1]), names[-1]] if name])


def _check_imports(
    path: str, source: swift_source.SwiftSource, ours: Set[str], table: ModuleTable
) -> Iterator[Violation]:
    """Finds imports of our modules in one branch of an `#if` whose file goes on after the `#endif`."""
    lines = source.code.split("\n")
    imports = [(item.module, item.line) for item in modules.imports(source, path) if item.module in ours]
    blocks = conditions.blocks(source.code)
    inside = {number for block in blocks for number in range(block.first, block.last + 1)}
    everywhere = {module for module, line in imports if line not in inside}
    for block in blocks:
        after = (number for number in range(block.last + 1, len(lines) + 1) if number not in inside)
        if not any(lines[number - 1].strip() for number in after):
            continue
        for branch in block.branches:
            for module, line in imports:
                if not branch.first <= line <= branch.last or module in everywhere:
                    continue
                others = [other for other in block.branches if other is not branch]
                missing = not others or not all(
                    any(name == module and other.first <= at <= other.last for name, at in imports) for other in others
                )
                if missing and table.layer(module) not in ("native", "stand-in"):
                    message = f"{module} is imported on some platforms only, and the file goes on after the #endif"
                    yield Violation(path, line, message)
