"""A release of the working tree, as a package manager sees it, and the commands that use it."""

import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import time
from typing import NamedTuple, Optional

from releasing import MIRROR, REPOSITORY, mirror, versions

PACKAGES = ["astrolabe", "swift-atomics"]


class Run(NamedTuple):
    """How a command ended, and what it took."""

    status: int
    output: str
    wall: float
    cpu: float

    def describe(self) -> str:
        return f"{self.wall:.1f} s, {self.cpu:.1f} s of CPU time"


class Release:
    """The mirror with one release, made of everything in the working tree that is not ignored.

    Git rewrites the public URLs to it, so that manifests name the URL that the README names. Packages share a build
    folder, so that the SDK is compiled once, or are thorough: each then has its own.
    """

    def __init__(self, root: pathlib.Path, folder: pathlib.Path, is_thorough: bool = False) -> None:
        self.root = root
        self.folder = folder
        self.is_thorough = is_thorough
        self.version = versions.current(root)
        # What the README tells an adopter to add.
        readme = (root / "README.md").read_text(encoding="utf-8")
        self.dependency = re.search(versions.DEPENDENCY, readme)[0]
        # Kept between runs, so that swift-atomics is fetched once. What is cached of the release itself is stale.
        self.cache = root / ".astrolabe" / "consumer-cache"
        self.forget()
        self.snapshot = folder / "snapshot"
        subprocess.run(["git", "init", "--quiet", str(self.snapshot)], check=True)
        self._git("add", "--all")
        self._git("commit", "--quiet", "--message", self.version)
        self.mirror = folder / "mirror" / "astrolabe"
        mirror.write(self.snapshot, "HEAD", self.version, self.mirror)

    def forget(self) -> None:
        """Removes what SwiftPM has cached of the SDK, so that the next resolution transfers it."""
        for stale in (self.cache / "repositories").glob("astrolabe-*"):
            shutil.rmtree(stale, ignore_errors=True)

    def package(self, name: str, files: dict[str, str]) -> pathlib.Path:
        """Writes a package into a folder of its own."""
        package = self.folder / name
        for path, text in files.items():
            file = package / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        return package

    def build_folder(self, package: pathlib.Path) -> pathlib.Path:
        """Returns where a package is built."""
        return package / ".build" if self.is_thorough else self.folder / "build"

    def swift(self, package: pathlib.Path, *arguments: str, build_folder: Optional[pathlib.Path] = None) -> Run:
        """Runs SwiftPM in a package, with the release in the place of the public repository."""
        command, *rest = arguments
        options = ["--package-path", str(package), "--scratch-path", str(build_folder or self.build_folder(package))]
        options += ["--cache-path", str(self.cache), "--security-path", str(self.folder / "security")]
        return self.run(["swift", command, *options, *rest])

    def run(self, command: list[str], timeout: float = 1800) -> Run:
        """Runs a command. Its CPU time includes that of the processes it starts."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        started = time.monotonic()
        try:
            ended = subprocess.run(
                command, env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                timeout=timeout, check=False,
            )
            status, output = ended.returncode, ended.stdout
        except subprocess.TimeoutExpired as error:
            status, output = 124, f"{error.stdout or ''}\ntimed out after {timeout:.0f} s"
        wall = time.monotonic() - started
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return Run(status, output, wall, cpu)

    def resolved(self, package: pathlib.Path) -> list[str]:
        """The identities of all packages that a package's dependencies resolve to."""
        pins = json.loads((package / "Package.resolved").read_text(encoding="utf-8"))["pins"]
        return sorted(pin["identity"] for pin in pins)

    def environment(self) -> dict[str, str]:
        environment = dict(os.environ)
        count = int(environment.get("GIT_CONFIG_COUNT", "0"))
        environment["GIT_CONFIG_COUNT"] = str(count + 2)
        for number, url in enumerate((REPOSITORY, MIRROR), count):
            environment[f"GIT_CONFIG_KEY_{number}"] = f"url.{self.mirror.as_uri()}.insteadOf"
            environment[f"GIT_CONFIG_VALUE_{number}"] = url
        environment["XDG_STATE_HOME"] = str(self.folder / "state")
        return environment

    def _git(self, *arguments: str) -> None:
        # No filters, hooks or identity of this machine's configuration take part. The repository lives for minutes.
        identity = ["-c", "user.name=consumer-test", "-c", "user.email=consumer-test@localhost"]
        plain = ["-c", "commit.gpgSign=false", "-c", "core.hooksPath=/dev/null", "-c", "core.compression=0"]
        places = ["--git-dir", str(self.snapshot / ".git"), "--work-tree", str(self.root)]
        subprocess.run(["git", *identity, *plain, *places, *arguments], check=True)


def ended_well(run: Run, what: str, report) -> bool:
    """Whether a command succeeded; if not, reports the end of its output."""
    if run.status == 0:
        return True
    lines = [line for line in run.output.splitlines() if "error:" in line] or run.output.splitlines()
    report.fail("\n  ".join([f"{what} failed with status {run.status}:", *lines[-20:]]))
    return False


def has_built(release: Release, package: pathlib.Path, product: str, report) -> bool:
    """Builds a product for debugging, without a warning. The first build in a folder is held to a limit."""
    is_clean = not (release.build_folder(package) / "debug").exists()
    if is_clean and not ended_well(release.swift(package, "package", "resolve"), "resolving", report):
        return False
    build = release.swift(package, "build", "--product", product)
    if not ended_well(build, f"the debug build of {product}", report):
        return False
    if is_clean:
        # 60 s on two idle cores are 120 s of CPU time.
        report.require(
            build.wall < 60 or build.cpu < 120, "clean debug build in", build.describe(),
            "under 60 s, or 120 s of CPU time")
    else:
        report.figure("debug build in", build.describe())
        again = sorted(set(re.findall(r"\bCompiling (C?Astrolabe\w*)", build.output)))
        report.figure("modules of the SDK compiled again", ", ".join(again) or "none")
    warnings = [line for line in build.output.splitlines() if "warning:" in line]
    report.require(not warnings, "warnings", "; ".join(warnings) or "none", "none")
    return has_resolved(release, package, report)


def has_resolved(release: Release, package: pathlib.Path, report) -> bool:
    """Whether an app's dependencies are the SDK and the one package that the SDK depends on."""
    packages = release.resolved(package)
    holds = packages == PACKAGES
    report.require(holds, "packages resolved", f"{len(packages)} ({', '.join(packages)})", ", ".join(PACKAGES))
    return holds
