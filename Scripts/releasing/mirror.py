"""The SDK alone, as a repository with one commit for each release: Docs/Decisions/0056-mirror.md."""

import os
import pathlib
import posixpath
import re
import subprocess
import tempfile
from typing import Optional, Set

from law import pictures
from releasing import MIRROR, REPOSITORY, ReleaseError, git, versions
from releasing.transaction import BRANCH, require_main

PATHS = [
    ".gitignore", ".spi.yml", "CHANGELOG.md", "LICENSE", "Package.swift", "README.md", "SECURITY.md", "Sources",
    "Tests",
]

# How the message of each commit begins, and how its body does.
SUBJECT = "Release "
ORIGIN = f"The SDK of {REPOSITORY}/commit/"

PLAIN = ["-c", "core.autocrlf=false"]

# How a test of the SDK names a file of the repository.
READ_BY_TESTS = r'Repository\.file\("[^"\\]+'

LINK = re.compile(r"(!?)(\[[^\]]*\])\(([^)\s#]+)(#[^)\s]*)?\)")


def write(source: pathlib.Path, commit: str, version: str, folder: pathlib.Path) -> None:
    """Adds a commit and a tag to the mirror in a folder, which it makes if there is none.

    The commit depends on the source's commit and the mirror's history alone, so that anyone can make it again.
    """
    parent = require_mirror(source, version, folder)
    tracked = set(git(source, "ls-tree", "-r", "--name-only", commit).splitlines())
    with tempfile.TemporaryDirectory(prefix="astrolabe-mirror-") as temporary:
        tree = pathlib.Path(temporary) / "tree"
        tree.mkdir()
        extract(source, commit, tracked, tree)
        elsewhere = {path for path in tracked | parents(tracked) if path.split("/")[0] not in PATHS}
        for page in tree.rglob("*.md"):
            text = page.read_text(encoding="utf-8")
            text = with_public_links(text, page.parent.relative_to(tree).as_posix(), version, elsewhere)
            page.write_text(text, encoding="utf-8")
        if parent is None:
            folder.mkdir(parents=True, exist_ok=True)
            if not (folder / ".git").exists():
                git(folder, "init", "--quiet")
                git(folder, "remote", "add", "origin", MIRROR)
            git(folder, "symbolic-ref", "HEAD", f"refs/heads/{BRANCH}")
        added = record(source, commit, version, folder, tree, parent)
    # Deletes and replaces what is tracked, and nothing else.
    git(folder, *PLAIN, "reset", "--quiet", "--hard", added)
    git(folder, "-c", "tag.gpgSign=false", "tag", version)


def require_mirror(source: pathlib.Path, version: str, folder: pathlib.Path) -> Optional[str]:
    """The last commit of the mirror in a folder, or nothing if the folder or its repository is new."""
    if source == folder or source in folder.parents:
        raise ReleaseError(f"{folder} is inside of {source}. Name a folder outside, such as ../astrolabe-mirror.")
    if not folder.exists() or folder.is_dir() and not any(folder.iterdir()):
        return None
    if not (folder / ".git").exists():
        raise ReleaseError(f"{folder} is not a git repository. Name a clone of {MIRROR}, or a folder that is new.")
    if git(folder, "status", "--porcelain"):
        raise ReleaseError(f"{folder} has changes that are not committed. Expected a clean clone of {MIRROR}.")
    if not git(folder, "for-each-ref"):
        return None
    subject, _, body = git(folder, "log", "-1", "--format=%B").partition("\n")
    if not subject.startswith(SUBJECT) or ORIGIN not in body:
        raise ReleaseError(f"{folder} is not a mirror: its last commit is no release of the SDK. Clone {MIRROR}.")
    require_main(folder)
    if git(folder, "tag", "--list", version):
        raise ReleaseError(f"{folder} has a tag {version} already. A published version never changes.")
    latest = subject[len(SUBJECT):]
    if versions.order(version) <= versions.order(latest):
        raise ReleaseError(f"{folder} has the release {latest} already. {version} must come before it: clone {MIRROR}.")
    return git(folder, "rev-parse", "HEAD")


def extract(source: pathlib.Path, commit: str, tracked: Set[str], tree: pathlib.Path) -> None:
    wanted = sorted(set(PATHS) | read_by_tests(source, commit))
    missing = [path for path in wanted if not any(each == path or each.startswith(path + "/") for each in tracked)]
    if missing:
        raise ReleaseError(f"{commit} has no {', '.join(missing)}, which the mirror or its tests need.")
    command = ["git", "-C", str(source), "archive", "--format=tar", commit, "--", *wanted]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as archive:
        extracted = subprocess.run(["tar", "-x", "-C", str(tree)], stdin=archive.stdout, check=False)
    if archive.returncode != 0 or extracted.returncode != 0:
        raise ReleaseError(f"could not copy {commit} to {tree}.")
    found = sorted(pictures.find([str(file.relative_to(tree)) for file in tree.rglob("*") if file.is_file()]))
    if found:
        raise ReleaseError(f"the mirror has no pictures, but found {', '.join(found)}. Move them to Docs.")


def read_by_tests(source: pathlib.Path, commit: str) -> Set[str]:
    """The files outside of Sources and Tests that the SDK's tests read."""
    # Status 1 says that there is none.
    found = subprocess.run(
        ["git", "-C", str(source), "grep", "-hoE", READ_BY_TESTS, commit, "--", "Tests"], stdout=subprocess.PIPE,
        text=True, check=False).stdout
    paths = {line.split('"', 1)[1].rstrip("/") for line in found.splitlines()}
    return {path for path in paths if path.split("/")[0] not in ("Sources", "Tests")}


def parents(paths: Set[str]) -> Set[str]:
    return {str(parent) for path in paths for parent in pathlib.PurePosixPath(path).parents}


def with_public_links(markdown: str, folder: str, version: str, elsewhere: Set[str]) -> str:
    """A page of a folder, with links to this repository, at the same version, for the files that are there only."""

    def public(match: "re.Match") -> str:
        mark, label, anchor = match[1], match[2], match[4] or ""
        path = posixpath.normpath(posixpath.join(folder, match[3]))
        if path not in elsewhere:
            return match[0]
        address = f"{REPOSITORY.replace('//github.com', '//raw.githubusercontent.com')}/{version}/{path}"
        return f"{mark}{label}({address if mark else f'{REPOSITORY}/blob/{version}/{path}'}{anchor})"

    return LINK.sub(public, markdown)


def record(
    source: pathlib.Path, commit: str, version: str, folder: pathlib.Path, tree: pathlib.Path, parent: Optional[str],
) -> str:
    """Makes a commit of a folder's files, which no branch has yet."""
    values = git(source, "show", "--no-patch", "--format=%H%n%cn%n%ce%n%cI", commit + "^{commit}").split("\n")
    revision, identity = values[0], dict(zip(("NAME", "EMAIL", "DATE"), values[1:]))
    environment = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in identity.items()}
    environment = {**os.environ, **environment, "GIT_INDEX_FILE": str(tree.with_name("index"))}
    message = f"{SUBJECT}{version}\n\n{ORIGIN}{revision}"
    git(folder, *PLAIN, f"--work-tree={tree}", "add", "--all", "--force", env=environment)
    content = git(folder, "write-tree", env=environment)
    parents = ["-p", parent] if parent else []
    return git(folder, "commit-tree", "--no-gpg-sign", content, *parents, "-m", message, env=environment)
