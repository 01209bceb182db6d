"""Checks the manifests as on a Mac: what they name exists there, and on the systems that they support."""

import pathlib
from typing import Dict, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple

from law import availability, packages
from law.violation import Violation


class Need(NamedTuple):
    """A dependency of a target: the kind and the name, and the package if it is one of a product."""

    kind: str
    name: str
    package: Optional[str]
    # SwiftPM's names of the systems that have the dependency, or none if all have.
    systems: List[str]


def check(
    root: pathlib.Path, ours: Dict[str, dict], others: Dict[str, dict], workspace: Sequence[str]
) -> List[Violation]:
    """Returns what a Mac lacks, and what is not there to be checked.

    The packages of the repository come by folder, others by their identity. `workspace` has the folders whose
    dependencies a build fetches.
    """
    by_name = {**others, **{manifest["name"].lower(): manifest for manifest in ours.values()}}
    found: List[Violation] = []
    for folder, manifest in ours.items():
        path = "Package.swift" if folder == "." else f"{folder}/Package.swift"
        lines = (root / path).read_text(encoding="utf-8").split("\n")
        lacks = f"{packages.CHECKOUTS} lacks {{}}, so it is not checked; a build fetches it"
        missing = [(name, lacks.format(name)) for name in _missing(manifest, by_name) if folder in workspace]
        for name, message in [*_check(manifest, by_name), *missing]:
            line = next((number for number, line in enumerate(lines, start=1) if f'"{name}"' in line), 1)
            found.append(Violation(path, line, message))
    return found


def unknown(ours: Dict[str, dict], others: Dict[str, dict], workspace: Sequence[str]) -> List[Tuple[str, str]]:
    """Returns the packages that cannot be checked, each with the folder outside of the workspace that needs it."""
    by_name = {**others, **{manifest["name"].lower(): manifest for manifest in ours.values()}}
    outside = [folder for folder in ours if folder not in workspace]
    return [(folder, name) for folder in outside for name in _missing(ours[folder], by_name)]


def _missing(manifest: dict, by_name: Dict[str, dict]) -> List[str]:
    return sorted(packages.dependencies(manifest) - set(by_name))


def _check(manifest: dict, by_name: Dict[str, dict]) -> Iterator[tuple]:
    """Finds what is wrong in a manifest, each with the text to look for in it."""
    targets = {target["name"] for target in manifest["targets"]}
    for product in manifest["products"]:
        for name in sorted(set(product["targets"]) - targets):
            yield product["name"], f"on a Mac there is no target {name}, which the product {product['name']} lists"
    dependencies = packages.dependencies(manifest)
    used = []
    for target in manifest["targets"]:
        for need in _needs(target):
            if need.kind == "byName" and need.name not in targets:
                need = need._replace(package=_package(need.name, dependencies, by_name))
            used.append(need)
            if not need.package:
                if need.name not in targets:
                    yield need.name, f"on a Mac there is no target {need.name}, which {target['name']} depends on"
            elif need.package.lower() not in dependencies:
                message = f"on a Mac {manifest['name']} has no dependency {need.package}, whose product {need.name}"
                yield need.package, f"{message} {target['name']} depends on"
            elif (package := by_name.get(need.package.lower())) and need.name not in _products(package):
                message = f"on a Mac {need.package} has no product {need.name}, which {target['name']} depends on"
                yield need.name, message
    yield from _check_systems(manifest, used, by_name)


def _check_systems(manifest: dict, needs: List[Need], by_name: Dict[str, dict]) -> Iterator[tuple]:
    supported = packages.systems(manifest)
    # A plugin runs where the package is built.
    needs = [need for need in needs if need.package and need.kind != "plugin"]
    for name in sorted({need.package for need in needs}):
        package = by_name.get(name.lower())
        for system, oldest in packages.systems(package).items() if package else ():
            own = supported.get(system)
            is_used = any(
                need.package == name and (not need.systems or system in need.systems) for need in needs
            )
            if own and is_used and availability.version(own) < availability.version(oldest):
                yield name, f"{manifest['name']} supports {system} {own}, and {name} needs {system} {oldest}"


def _needs(target: dict) -> Iterator[Need]:
    for item in [*target["dependencies"], *(target.get("pluginUsages") or [])]:
        ((kind, value),) = item.items()
        condition = value[-1] if isinstance(value[-1], dict) else {}
        package = {"product": value[1] or value[0], "plugin": value[1]}.get(kind)
        yield Need(kind, value[0], package, condition.get("platformNames", []))


def _products(manifest: dict) -> Set[str]:
    return {product["name"] for product in manifest["products"]}


def _package(product: str, dependencies: Set[str], by_name: Dict[str, dict]) -> Optional[str]:
    """Returns the package that has a product, or else one that is not known, which may have it."""
    owners = [name for name in sorted(dependencies) if name in by_name and product in _products(by_name[name])]
    return next(iter(owners + sorted(dependencies - set(by_name))), None)
