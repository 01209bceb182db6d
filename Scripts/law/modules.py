"""Compares the imports in the sources with the manifests and with the layers in `Scripts/modules.txt`."""

import pathlib
import re
import sys
from typing import Dict, Iterator, List, NamedTuple, Set

from law import swift_source
from law.module_table import MAY_IMPORT, PHONE_LAYERS, SDK_LAYERS, ModuleTable, cycles
from law.packages import Repository, Target
from law.violation import Violation

SDK = "astrolabe"

_IMPORT = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?"
    r"import\s+(?:(?:typealias|struct|class|enum|protocol|let|var|func)\s+)?(\w+)"
)
_TYPE = r"\b(?:struct|class|enum|actor|protocol|typealias)\s+{}\b"
_UPCOMING = ("ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault")
_NOT_IMPORTED = ("executable", "plugin", "macro")


class Import(NamedTuple):
    """An `import` in a source."""

    module: str
    path: str
    line: int


def check(
    root: pathlib.Path, repository: Repository, table: ModuleTable, platform: str = sys.platform
) -> List[Violation]:
    """Returns every difference between the sources under `root`, the manifests and the table."""
    found = list(table.violations)
    graph: Dict[str, Set[str]] = {}
    for target in repository.duplicates:
        found.append(Violation(target.manifest, 1, f"another package declares a target {target.name}, too"))
    for target in repository.targets.values():
        found_imports: List[Import] = []
        for path in sources(root, target):
            source = swift_source.read((root / path).read_text(encoding="utf-8"))
            found_imports += imports(source, path)
            if target.kind == "regular":
                found += _check_type_names(source, path, target.name)
        for item in found_imports:
            found += _check_import(item, target, repository, table)
        imported = {item.module for item in found_imports}
        found += _check_manifest(root, target, imported, repository, table)
        graph[target.name] = imported & set(repository.targets) - {target.name}
    for cycle in cycles(graph):
        found.append(Violation("Package.swift", 1, f"modules import one another in a cycle: {' -> '.join(cycle)}"))
    # Some targets exist only on Linux, where the stand-ins for Apple's frameworks are.
    if platform != "darwin":
        for name in sorted(set(table.rows) - set(repository.targets)):
            found.append(Violation(table.path, table.rows[name].line, f"no manifest declares a target {name}"))
    return found


def sources(root: pathlib.Path, target: Target) -> List[str]:
    """Returns the Swift files of a target. A folder that is a link counts as the folder it points to."""
    folder = (root / target.folder).resolve()
    return [path.relative_to(root.resolve()).as_posix() for path in sorted(folder.rglob("*.swift"))]


def imports(source: swift_source.SwiftSource, path: str) -> Iterator[Import]:
    """Returns the imports of a source."""
    for number, line in source.lines:
        for statement in line.split(";"):
            if match := _IMPORT.match(statement):
                yield Import(match[1], path, number)


def _check_type_names(source: swift_source.SwiftSource, path: str, module: str) -> Iterator[Violation]:
    pattern = re.compile(_TYPE.format(re.escape(module)))
    for number, line in source.lines:
        if pattern.search(line):
            yield Violation(path, number, f"a type named {module} hides the module {module}; give it another name")


def _check_import(
    item: Import, target: Target, repository: Repository, table: ModuleTable
) -> Iterator[Violation]:
    name = target.name
    if item.module == name:
        yield Violation(item.path, item.line, f"{name} imports itself")
    elif item.module in table.platform_new and table.layer(name) in PHONE_LAYERS:
        yield Violation(item.path, item.line, f"{item.module} is newer than iOS 16, on which {name} runs")
    elif item.module in table.platform | table.platform_new and item.module not in repository.targets:
        return
    elif item.module not in _granted(target, repository, table):
        message = f"{name} imports {item.module} and does not declare it in {target.manifest}"
        yield Violation(item.path, item.line, message)


def _granted(target: Target, repository: Repository, table: ModuleTable) -> Set[str]:
    """The modules that a target's declared dependencies allow it to import."""
    found = set(target.targets)
    for product in target.products:
        found |= _product(product, repository, table)
    return found


def _product(product, repository: Repository, table: ModuleTable) -> Set[str]:
    ours = repository.modules_of(product)
    if ours is None:
        return table.modules_of_product(product[1])
    if product[1].startswith("_"):
        # A private product brings the C modules and system libraries of its modules along.
        for module in list(ours):
            ours |= {name for name in repository.targets[module].targets if table.layer(name) == "native"}
    return ours


def _check_manifest(
    root: pathlib.Path, target: Target, imported: Set[str], repository: Repository, table: ModuleTable
) -> Iterator[Violation]:
    line = _line_in_manifest(root, target)

    def violation(message: str) -> Violation:
        return Violation(target.manifest, line, message)

    if target.kind != "test":
        if target.name not in table.rows:
            yield violation(f"{target.name} has no row in {table.path}")
        if target.package == SDK and not target.name.startswith(("Astrolabe", "CAstrolabe")):
            yield violation(f"{target.name} needs the prefix Astrolabe, so that it collides with no app's module")
        yield from map(violation, _check_layer(target, repository, table))
    yield from map(violation, _unused(target, imported, repository, table))
    if table.layer(target.name) == "native":
        return
    if {"swiftLanguageMode": {"_0": "6"}} not in target.settings:
        yield violation(f"{target.name} is not compiled in the Swift 6 language mode")
    if {"treatAllWarnings": {"_0": "error"}} not in target.settings:
        yield violation(f"{target.name} does not treat warnings as errors")
    for feature in _UPCOMING:
        if {"enableUpcomingFeature": {"_0": feature}} not in target.settings:
            yield violation(f"{target.name} does not enable {feature}")


def _check_layer(target: Target, repository: Repository, table: ModuleTable) -> Iterator[str]:
    """Checks the declared dependencies of a target against its layer."""
    name, layer = target.name, table.layer(target.name)
    allowed = MAY_IMPORT.get(layer)
    for module in sorted(target.targets):
        other = table.layer(module)
        if allowed is None or other in allowed:
            continue
        if layer == "leaf":
            yield f"{name} is a leaf and may import nothing of ours, not {module}"
        elif layer == other == "feature":
            yield f"{name} is a feature and may not import the feature {module}; let the facade connect them"
        else:
            yield f"{name} is in the layer {layer} and may not import {module}, which is in the layer {other}"
    for product in sorted(target.products):
        if layer in SDK_LAYERS and repository.modules_of(product) is None and product[1] not in table.sdk_libraries:
            yield f"{name} is in the SDK, which may not depend on {product[1]}"
        if layer == "app" and product[1].startswith("_"):
            yield f"{name} is an app and imports public products only, not {product[1]}"


def _unused(target: Target, imported: Set[str], repository: Repository, table: ModuleTable) -> Iterator[str]:
    """Finds declared dependencies that no source of the target imports."""
    allowed = table.unused.get(target.name, set())
    for module in sorted(target.targets - imported - allowed):
        other = repository.targets[module]
        if other.kind not in _NOT_IMPORTED:
            yield f"{target.name} declares {module} and imports it nowhere"
    products = {product: _product(product, repository, table) for product in target.products}
    for product, modules in sorted(products.items()):
        # A module that a smaller product brings does not make a larger one necessary.
        smaller = [other for other in products.values() if other < modules]
        needed = modules - set(target.targets).union(*smaller)
        executable = all(
            module in repository.targets and repository.targets[module].kind in _NOT_IMPORTED for module in modules
        )
        if not (needed & imported or executable or product[1] in allowed):
            yield f"{target.name} declares {product[1]} and imports nothing of it"


def _line_in_manifest(root: pathlib.Path, target: Target) -> int:
    subject = target.name[: -len("Tests")] if target.name.endswith("Tests") else target.name
    lines = (root / target.manifest).read_text(encoding="utf-8").split("\n")
    for name in (target.name, subject):
        for number, line in enumerate(lines, start=1):
            if f'"{name}"' in line:
                return number
    return 1
