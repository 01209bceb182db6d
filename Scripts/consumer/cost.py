"""What an app transfers that adds this repository with its history, and one that adds the mirror by its tag."""

import pathlib
import shutil

from consumer import fresh
from consumer.release import Release, ended_well, has_resolved
from releasing import git

# One release of the SDK, and room for those that follow.
LIMIT = 3_000


def check(release: Release, report) -> None:
    tag = f'.package(url: "{release.mirror.as_uri()}", exact: "{release.version}")'
    size = resolve(release, release.mirror, tag, report)
    report.require(0 < size < LIMIT, "the mirror transfers", f"{size:,} kB", f"under {LIMIT:,} kB")
    if git(release.root, "rev-parse", "--is-shallow-repository") == "true":
        report.figure("the repository with its history", "not measured, because this clone is shallow")
        return
    # One branch of this clone, as a server has it.
    history = release.folder / "repository" / "astrolabe"
    history.mkdir(parents=True)
    git(history, "init", "--quiet", "--bare")
    git(history, "symbolic-ref", "HEAD", "refs/heads/main")
    git(history, "fetch", "--quiet", str(release.root), "HEAD:refs/heads/main")
    size = resolve(release, history, f'.package(url: "{history.as_uri()}", branch: "main")', report)
    report.figure("the repository transfers", f"{size:,} kB")


def resolve(release: Release, repository: pathlib.Path, dependency: str, report) -> int:
    """Resolves an app's dependencies. Returns the kilobytes that a server sends for the SDK's repository."""
    name = repository.parent.name
    package = release.package(f"cost/{name}", {"Package.swift": fresh.manifest(dependency)})
    # The first resolution fetches swift-atomics, if no other run has.
    for _ in range(2):
        shutil.rmtree(package / ".build", ignore_errors=True)
        release.forget()
        resolution = release.swift(package, "package", "resolve", build_folder=package / ".build")
        if not ended_well(resolution, f"resolving the {name}", report):
            return 0
    report.figure(f"the {name} resolves in", resolution.describe())
    has_resolved(release, package, report)
    # SwiftPM copies the files of a repository on this machine. This clone gets them as a pack, as from a server.
    clone = release.folder / "cost" / f"{name}.git"
    git(release.folder, "clone", "--quiet", "--mirror", "--no-local", repository.as_uri(), str(clone))
    return sum(pack.stat().st_size for pack in clone.glob("objects/pack/*.pack")) // 1_000
