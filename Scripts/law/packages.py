"""Reads the packages of the repository: their manifests, targets and products."""

import contextlib
import fcntl
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Callable, Dict, List, NamedTuple, Optional, Set, Tuple

from law import conditions

WORKSPACE = "Astrolabe.xcworkspace/contents.xcworkspacedata"
CACHE = ".astrolabe/manifests"
CHECKOUTS = ".build/checkouts"
OLDEST = {"ios": "12.0", "macos": "10.13", "tvos": "12.0", "visionos": "1.0"}


class Target(NamedTuple):
    """A target as its manifest declares it. `folder` starts at the root of the repository."""

    name: str
    kind: str
    package: str
    manifest: str
    folder: str
    targets: Set[str]
    products: Set[Tuple[str, str]]
    settings: List[dict]


class Repository(NamedTuple):
    """All packages: targets by name, products by package and name, and targets that two packages declare.

    `systems` has the oldest version of each system that a package supports, by the names of SwiftPM.
    """

    targets: Dict[str, Target]
    products: Dict[Tuple[str, str], Set[str]]
    duplicates: List[Target]
    systems: Dict[str, Dict[str, str]]

    def modules_of(self, product: Tuple[str, str]) -> Optional[Set[str]]:
        """Returns the modules in a product of this repository, or None if another repository declares it."""
        package, name = product
        found = self.products.get((package.lower(), name))
        return None if found is None else set(found)

    def home(self, root: pathlib.Path, target: Target) -> str:
        """Returns the package that keeps a target's sources; the folder may be a link into another package."""
        base = root.resolve()
        folder = (base / target.folder).resolve().relative_to(base).as_posix()
        homes = {other.manifest[: -len("Package.swift")]: other.package for other in self.targets.values()}
        return homes[max((home for home in homes if folder.startswith(home)), key=len)]

    def folders(self, root: pathlib.Path) -> Dict[str, str]:
        """Returns the module in each folder. A folder that is a link counts as the folder it points to."""
        base = root.resolve()
        return {
            (base / target.folder).resolve().relative_to(base).as_posix(): name
            for name, target in self.targets.items()
        }


def read(manifests: Dict[str, dict]) -> Repository:
    """Builds the repository from the output of `swift package dump-package`, keyed by the folder of each package."""
    repository = Repository({}, {}, [], {})
    for folder, manifest in manifests.items():
        prefix = "" if folder == "." else folder + "/"
        repository.systems[manifest["name"]] = systems(manifest)
        for product in manifest.get("products", []):
            repository.products[manifest["name"].lower(), product["name"]] = set(product["targets"])
        for target in _targets(manifest, prefix):
            if target.name in repository.targets:
                repository.duplicates.append(target)
            else:
                repository.targets[target.name] = target
    return repository


def systems(manifest: dict) -> Dict[str, str]:
    """Returns the oldest version of each system that a package supports: SwiftPM's own, if it names none."""
    named = {platform["platformName"]: platform["version"] for platform in manifest.get("platforms", [])}
    return named or OLDEST


def _targets(manifest: dict, prefix: str):
    own = {target["name"] for target in manifest["targets"]}
    for target in manifest["targets"]:
        targets, products = set(), set()
        for dependency in target["dependencies"]:
            ((kind, value),) = dependency.items()
            if kind != "product" and value[0] in own:
                targets.add(value[0])
            else:
                products.add((value[1] if kind == "product" and value[1] else value[0], value[0]))
        parent = "Tests" if target["type"] == "test" else "Sources"
        yield Target(
            name=target["name"],
            kind=target["type"],
            package=manifest["name"],
            manifest=prefix + "Package.swift",
            folder=prefix + (target.get("path") or f"{parent}/{target['name']}"),
            targets=targets,
            products=products,
            settings=[setting["kind"] for setting in target["settings"]],
        )


def folders(root: pathlib.Path) -> List[str]:
    """Returns the folders of the packages, as the workspace lists them."""
    text = (root / WORKSPACE).read_text(encoding="utf-8")
    return re.findall(r'location="group:([^"]+)"', text)


def load(root: pathlib.Path) -> Repository:
    """Reads all manifests. A manifest that has not changed is read from `.astrolabe/manifests`."""
    return read(_all(root, folders(root), lambda folder: _dump(root / folder, root / CACHE, folder)))


def load_for_a_mac(root: pathlib.Path) -> Tuple[Dict[str, dict], Dict[str, dict]]:
    """Reads all manifests as on a Mac: those of the repository by folder, and those of others by their identity.

    SwiftPM compiles a manifest for the machine that builds, so a Mac's reading counts for iOS, too. Others are the
    direct dependencies that `.build/checkouts` has.
    """
    ours = _all(root, _all_folders(root), lambda folder: _dump_for_a_mac(root, root / folder))
    known = {manifest["name"].lower() for manifest in ours.values()}
    named = set().union(*map(dependencies, ours.values())) - known
    checkouts = {path.name.lower(): path for path in (root / CHECKOUTS).glob("*") if path.name.lower() in named}
    return ours, _all(root, sorted(checkouts), lambda name: _dump_for_a_mac(root, checkouts[name]))


def dependencies(manifest: dict) -> Set[str]:
    """Returns the packages that a package depends on, in lower case."""
    values = [value for dependency in manifest["dependencies"] for (value,) in dependency.values()]
    return {value.get("nameForTargetDependencyResolutionOnly", value["identity"]).lower() for value in values}


def _all(root: pathlib.Path, names: List[str], dump: Callable[[str], dict]) -> Dict[str, dict]:
    with _one_at_a_time(root / CACHE), ThreadPoolExecutor() as pool:
        return dict(zip(names, pool.map(dump, names)))


def _all_folders(root: pathlib.Path) -> List[str]:
    """Returns the folders of the packages, also of those that are not in the workspace."""
    found = []
    for folder, inner, files in os.walk(root):
        inner[:] = sorted(name for name in inner if not name.startswith(".") and name != "node_modules")
        if "Package.swift" in files:
            found.append(pathlib.Path(folder).relative_to(root).as_posix())
    return found


def _dump_for_a_mac(root: pathlib.Path, package: pathlib.Path) -> dict:
    """Reads a copy of a manifest in which the conditions of `#if` on the system are decided for a Mac.

    A manifest asks where it lies, so the copy lies at the same place below a copy of the root.
    """
    place = package.relative_to(root)
    copy = root / CACHE / "mac" / root.name / place
    copy.mkdir(parents=True, exist_ok=True)
    for old in copy.glob("Package*.swift"):
        old.unlink()
    for manifest in package.glob("Package*.swift"):
        text = conditions.decided(manifest.read_text(encoding="utf-8"), "macOS")
        (copy / manifest.name).write_text(text, encoding="utf-8")
    return _dump(copy, root / CACHE / "mac", place.as_posix())


@contextlib.contextmanager
def _one_at_a_time(cache: pathlib.Path):
    """Lets the first of several checks that run side by side read new manifests, and the others wait for it."""
    cache.mkdir(parents=True, exist_ok=True)
    with open(cache / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _dump(package: pathlib.Path, cache: pathlib.Path, name: str) -> dict:
    text = b"".join(path.read_bytes() for path in sorted(package.glob("Package*.swift")))
    tool = str(shutil.which("swift")) + sys.platform
    key = hashlib.sha256(text + tool.encode("utf-8")).hexdigest()
    cached = cache / (name.replace("/", "-") + ".json")
    try:
        entry = json.loads(cached.read_text(encoding="utf-8"))
        if entry["key"] == key:
            return entry["manifest"]
    except (OSError, ValueError, KeyError):
        pass
    # A build folder of its own, so that this does not wait for a build that is running.
    scratch = str(cached.with_suffix(".build"))
    command = ["swift", "package", "--package-path", str(package), "--scratch-path", scratch, "dump-package"]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        reader = " as on a Mac" if cache.name == "mac" else ""
        raise SystemExit(f"{name}/Package.swift could not be read{reader}:\n{result.stderr.strip()}")
    manifest = json.loads(result.stdout)
    # A check that is interrupted leaves no half of an entry.
    new = cached.with_suffix(".new")
    new.write_text(json.dumps({"key": key, "manifest": manifest}), encoding="utf-8")
    os.replace(new, cached)
    return manifest
