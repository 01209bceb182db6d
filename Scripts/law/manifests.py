"""Checks the manifests as on a Mac: what they name exists there, and on the systems that they support."""

import pathlib
from typing import Dict, Iterator, List, NamedTuple, Optional, Set

from law import availability, packages
from law.violation import Violation


class Need(NamedTuple):
    """A dependency of a target: the name, and the package if it is one of a product."""

    kind: str
    name: str
    package: Optional[str]
    # SwiftPM's names of the systems that have the dependency, or none if all have.
    systems: List[str]


def check(root: pathlib.Path, ours: Dict[str, dict], others: Dict[str, dict]) -> List[Violation]:
    """Returns what a Mac lacks. The packages of the repository come by folder, others by their identity."""
    by_name = {**others, **{manifest["name"].lower(): manifest for manifest in ours.values()}}
    found: List[Violation] = []
    for folder, manifest in ours.items():
        path = "Package.swift" if folder == "." else f"{folder}/Package.swift"
        lines = (root / path).read_text(encoding="utf-8").split("\n")
        for name, message in _check(manifest, by_name):
            line = next((number for number, line in enumerate(lines, start=1) if f'"{name}"' in line), 1)
            found.append(Violation(path, line, message))
    return found


def unknown(ours: Dict[str, dict], others: Dict[str, dict]) -> List[str]:
    """Returns the packages that the repository depends on and that cannot be checked, because they are not there."""
    known = set(others) | {manifest["name"].lower() for manifest in ours.values()}
    named: Set[str] = set().union(*(packages.dependencies(manifest) for manifest in ours.values()))
    return sorted(name for name in named if name.lower() not in known)


def _check(manifest: dict, by_name: Dict[str, dict]) -> Iterator[tuple]:
    """Finds what is wrong in a manifest, each with the text to look for in it."""
    targets = {target["name"] for target in manifest["targets"]}
    for product in manifest["products"]:
        for name in sorted(set(product["targets"]) - targets):
            yield product["name"], f"on a Mac there is no target {name}, which the product {product['name']} lists"
    needs = [(target["name"], need) for target in manifest["targets"] for need in _needs(target)]
    for target, need in needs:
        if need.kind == "product":
            package = by_name.get((need.package or need.name).lower())
            if package and need.name not in _products(package):
                message = f"on a Mac {need.package} has no product {need.name}, which {target} depends on"
                yield need.name, message
        elif need.name not in targets and (need.kind == "target" or not _may_be_product(need, manifest, by_name)):
            yield need.name, f"on a Mac there is no target {need.name}, which {target} depends on"
    yield from _check_systems(manifest, [need for _, need in needs], by_name)


def _check_systems(manifest: dict, needs: List[Need], by_name: Dict[str, dict]) -> Iterator[tuple]:
    supported = packages.systems(manifest)
    for name in sorted({need.package for need in needs if need.package}):
        package = by_name.get(name.lower())
        for system, oldest in packages.systems(package).items() if package else ():
            own = supported.get(system)
            is_used = any(
                need.package == name and (not need.systems or system in need.systems) for need in needs
            )
            if own and is_used and availability.version(own) < availability.version(oldest):
                yield name, f"{manifest['name']} supports {system} {own}, and {name} needs {system} {oldest}"


def _needs(target: dict) -> Iterator[Need]:
    for item in target["dependencies"]:
        ((kind, value),) = item.items()
        condition = value[-1] if isinstance(value[-1], dict) else {}
        package = value[1] if kind == "product" else None
        yield Need(kind, value[0], package, condition.get("platformNames", []))


def _products(manifest: dict) -> Set[str]:
    return {product["name"] for product in manifest["products"]}


def _may_be_product(need: Need, manifest: dict, by_name: Dict[str, dict]) -> bool:
    """Whether a dependency by name alone is a product of a package that the manifest names, or of one not known."""
    for dependency in manifest["dependencies"]:
        ((_, (value,)),) = dependency.items()
        package = by_name.get(value.get("nameForTargetDependencyResolutionOnly", value["identity"]).lower())
        if package is None or need.name in _products(package):
            return True
    return False
