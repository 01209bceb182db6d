"""The SDK alone, as a repository with one commit for each release: Docs/Decisions/0056-mirror.md."""

import os
import pathlib
import re
import shutil
import subprocess
from typing import List, Set

from releasing import MIRROR, REPOSITORY, ReleaseError, git

PATHS = [
    ".gitignore", ".spi.yml", "CHANGELOG.md", "LICENSE", "Package.swift", "README.md", "SECURITY.md", "Sources",
    "Tests",
]
PICTURES = {".gif", ".heic", ".jpeg", ".jpg", ".png", ".svg", ".webp"}

# How a test of the SDK names a file of the repository.
READ_BY_TESTS = r'Repository\.file\("[^"\\]+'

LINK = re.compile(r"(!?)(\[[^\]]*\])\(([^)\s#]+)(#[^)\s]*)?\)")


def write(source: pathlib.Path, commit: str, version: str, folder: pathlib.Path) -> None:
    """Adds a commit and a tag to the mirror in a folder, which it makes if there is none.

    The commit depends on the source's commit and the mirror's history alone, so that anyone can make it again.
    """
    prepare(folder, version)
    tracked = set(git(source, "ls-tree", "-r", "--name-only", commit).splitlines())
    wanted = sorted(set(PATHS) | read_by_tests(source, commit))
    missing = [path for path in wanted if not any(each == path or each.startswith(path + "/") for each in tracked)]
    if missing:
        raise ReleaseError(f"{commit} has no {', '.join(missing)}, which the mirror or its tests need.")
    for item in folder.iterdir():
        if item.name != ".git":
            shutil.rmtree(item) if item.is_dir() else item.unlink()
    command = ["git", "-C", str(source), "archive", "--format=tar", commit, "--", *wanted]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as archive:
        extracted = subprocess.run(["tar", "-x", "-C", str(folder)], stdin=archive.stdout, check=False)
    if archive.returncode != 0 or extracted.returncode != 0:
        raise ReleaseError(f"could not copy {commit} to {folder}.")
    pictures = sorted(str(file.relative_to(folder)) for file in files(folder) if file.suffix in PICTURES)
    if pictures:
        raise ReleaseError(f"the mirror has no pictures, but found {', '.join(pictures)}. Move them to Docs.")
    elsewhere = {path for path in tracked | parents(tracked) if path.split("/")[0] not in PATHS}
    readme = folder / "README.md"
    readme.write_text(with_public_links(readme.read_text(encoding="utf-8"), version, elsewhere), encoding="utf-8")
    record(source, commit, version, folder)


def prepare(folder: pathlib.Path, version: str) -> None:
    if not folder.exists() or not any(folder.iterdir()):
        folder.mkdir(parents=True, exist_ok=True)
        git(folder, "init", "--quiet")
        git(folder, "symbolic-ref", "HEAD", "refs/heads/main")
        git(folder, "remote", "add", "origin", MIRROR)
    if not (folder / ".git").exists():
        raise ReleaseError(f"{folder} is not a git repository. Name a clone of {MIRROR}, or a folder that is new.")
    if git(folder, "status", "--porcelain"):
        raise ReleaseError(f"{folder} has changes that are not committed. Expected a clean clone of {MIRROR}.")
    if git(folder, "tag", "--list", version):
        raise ReleaseError(f"{folder} has a tag {version} already. A published version never changes.")


def read_by_tests(source: pathlib.Path, commit: str) -> Set[str]:
    """The files outside of Sources and Tests that the SDK's tests read."""
    # Status 1 says that there is none.
    found = subprocess.run(
        ["git", "-C", str(source), "grep", "-hoE", READ_BY_TESTS, commit, "--", "Tests"], stdout=subprocess.PIPE,
        text=True, check=False).stdout
    paths = {line.split('"', 1)[1].rstrip("/") for line in found.splitlines()}
    return {path for path in paths if path.split("/")[0] not in ("Sources", "Tests")}


def files(folder: pathlib.Path) -> List[pathlib.Path]:
    return [file for file in folder.rglob("*") if file.is_file() and ".git" not in file.relative_to(folder).parts]


def parents(paths: Set[str]) -> Set[str]:
    return {str(parent) for path in paths for parent in pathlib.PurePosixPath(path).parents}


def with_public_links(markdown: str, version: str, elsewhere: Set[str]) -> str:
    """The page with links to this repository, at the same version, for the files that are there only."""

    def public(match: "re.Match") -> str:
        mark, label, path, anchor = match[1], match[2], match[3], match[4] or ""
        if path not in elsewhere:
            return match[0]
        address = f"{REPOSITORY.replace('//github.com', '//raw.githubusercontent.com')}/{version}/{path}"
        return f"{mark}{label}({address if mark else f'{REPOSITORY}/blob/{version}/{path}'}{anchor})"

    return LINK.sub(public, markdown)


def record(source: pathlib.Path, commit: str, version: str, folder: pathlib.Path) -> None:
    values = git(source, "show", "--no-patch", "--format=%H%n%cn%n%ce%n%cI", commit + "^{commit}").split("\n")
    revision, identity = values[0], dict(zip(("NAME", "EMAIL", "DATE"), values[1:]))
    environment = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in identity.items()}
    message = f"Release {version}\n\nThe SDK of {REPOSITORY}/commit/{revision}"
    plain = ["-c", "commit.gpgSign=false", "-c", "core.hooksPath=/dev/null", "-c", "core.autocrlf=false"]
    git(folder, *plain, "add", "--all", "--force")
    git(folder, *plain, "commit", "--quiet", "--message", message, env={**os.environ, **environment})
    git(folder, "tag", version)
