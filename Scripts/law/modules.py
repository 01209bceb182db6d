"""Holds the real import graph, the manifest and the table of modules against one another."""

import pathlib
import re
from typing import Dict, Iterator, List, NamedTuple, Set

from law import swift_source
from law.module_table import PHONE_LAYERS, SDK_LAYERS, ModuleTable, cycles
from law.violation import Violation

_IMPORT = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?"
    r"import\s+(?:(?:typealias|struct|class|enum|protocol|let|var|func)\s+)?(\w+)"
)
_TYPE = r"\b(?:struct|class|enum|actor|protocol|typealias)\s+{}\b"
_UPCOMING = ("ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault")


class Import(NamedTuple):
    """An `import` as a source has it."""

    module: str
    path: str
    line: int


class Target(NamedTuple):
    """What the manifest says of one target."""

    name: str
    kind: str
    folder: str
    targets: Set[str]
    products: Set[str]
    settings: List[dict]


def targets(manifest: dict) -> Dict[str, Target]:
    """The targets in the JSON of `swift package dump-package`."""
    own = {target["name"] for target in manifest["targets"]}
    found = {}
    for target in manifest["targets"]:
        names: Dict[bool, Set[str]] = {True: set(), False: set()}
        for dependency in target["dependencies"]:
            ((kind, value),) = dependency.items()
            names[kind != "product" and value[0] in own].add(value[0])
        parent = "Tests" if target["type"] == "test" else "Sources"
        found[target["name"]] = Target(
            name=target["name"],
            kind=target["type"],
            folder=target.get("path") or f"{parent}/{target['name']}",
            targets=names[True],
            products=names[False],
            settings=[setting["kind"] for setting in target["settings"]],
        )
    return found


def check(root: pathlib.Path, manifest: dict, table: ModuleTable) -> List[Violation]:
    """Every way in which the sources under `root`, the manifest and the table disagree."""
    found = list(table.violations)
    graph: Dict[str, Set[str]] = {}
    package = targets(manifest)
    for target in package.values():
        if target.name in table.system_libraries:
            continue
        found += _check_manifest(root, target, table)
        imports = []
        for path in sorted((root / target.folder).rglob("*.swift")):
            source = swift_source.read(path.read_text(encoding="utf-8"))
            name = path.relative_to(root).as_posix()
            imports += _imports(source, name)
            found += _check_type_names(source, name, target.name)
        for item in imports:
            found += _check_import(item, target, package, table)
        graph[target.name] = {item.module for item in imports} & set(package) - {target.name}
    for cycle in cycles(graph):
        found.append(Violation("Package.swift", 1, f"modules import one another in a cycle: {' -> '.join(cycle)}"))
    return found


def _imports(source: swift_source.SwiftSource, path: str) -> Iterator[Import]:
    for number, line in source.lines:
        for statement in line.split(";"):
            if match := _IMPORT.match(statement):
                yield Import(match[1], path, number)


def _check_type_names(source: swift_source.SwiftSource, path: str, module: str) -> Iterator[Violation]:
    pattern = re.compile(_TYPE.format(re.escape(module)))
    for number, line in source.lines:
        if pattern.search(line):
            yield Violation(path, number, f"a type named {module} hides the module {module}; give it another name")


def _check_import(item: Import, target: Target, package: Dict[str, Target], table: ModuleTable) -> Iterator[Violation]:
    def violation(message: str) -> Violation:
        return Violation(item.path, item.line, message)

    name = target.name
    row = table.rows.get(name)
    declared = set(target.targets).union(*(table.modules_of_product(product) for product in target.products))
    if item.module == name:
        yield violation(f"{name} imports itself")
    elif item.module in table.platform_new and row and row.layer in PHONE_LAYERS:
        yield violation(f"{item.module} is newer than iOS 16, on which {name} runs")
    elif item.module in table.platform | table.platform_new and item.module not in package:
        return
    else:
        if row and not table.allows(name, item.module):
            yield violation(_refusal(item.module, name, row.layer, table))
        if item.module not in declared:
            yield violation(f"{name} imports {item.module} and does not declare it in Package.swift")


def _refusal(module: str, importer: str, layer: str, table: ModuleTable) -> str:
    """Why the table does not allow an import, as near to the reason as it can tell."""
    imported = table.rows.get(module)
    if imported is None and layer in SDK_LAYERS - {"bridge"} and module not in table.sdk_libraries:
        return f"{importer} is of the SDK, which may not depend on {module}"
    if imported and layer == "leaf":
        return f"{importer} is a leaf and may import nothing of ours, not {module}"
    if imported and layer == imported.layer == "feature":
        return f"{importer} is a feature and may not import the feature {module}; let the facade wire them"
    return f"{importer} may not import {module} by {table.path}"


def _check_manifest(root: pathlib.Path, target: Target, table: ModuleTable) -> Iterator[Violation]:
    line = _line_in_manifest(root, target.name)

    def violation(message: str) -> Violation:
        return Violation("Package.swift", line, message)

    if target.kind != "test":
        row = table.rows.get(target.name)
        if row is None:
            yield violation(f"{target.name} has no row in {table.path}")
        else:
            for name in sorted(target.targets | target.products):
                if not any(table.allows(target.name, module) for module in table.modules_of_product(name)):
                    yield violation(f"{target.name} declares {name}, which {table.path} does not allow it to import")
    if {"swiftLanguageMode": {"_0": "6"}} not in target.settings:
        yield violation(f"{target.name} is not compiled in the Swift 6 language mode")
    if {"treatAllWarnings": {"_0": "error"}} not in target.settings:
        yield violation(f"{target.name} does not treat warnings as errors")
    for feature in _UPCOMING:
        if {"enableUpcomingFeature": {"_0": feature}} not in target.settings:
            yield violation(f"{target.name} does not enable {feature}")


def _line_in_manifest(root: pathlib.Path, target: str) -> int:
    subject = target[: -len("Tests")] if target.endswith("Tests") else target
    lines = (root / "Package.swift").read_text(encoding="utf-8").split("\n")
    for name in (target, subject):
        for number, line in enumerate(lines, start=1):
            if f'"{name}"' in line:
                return number
    return 1
