"""A release that is either committed and tagged, or has changed nothing."""

import contextlib
import pathlib
import signal
import subprocess
import sys
from typing import Dict, Iterator, List

from releasing import ReleaseError, git

BRANCH = "main"
STOPS = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}


def require_main(root: pathlib.Path) -> None:
    branch = git(root, "branch", "--show-current")
    if branch != BRANCH:
        raise ReleaseError(f"{root} is on {branch or 'no branch'}. Expected {BRANCH}: git switch {BRANCH}.")


def perform(root: pathlib.Path, version: str, texts: Dict[str, str], checks: List[List[str]]) -> None:
    """Writes files, runs checks, commits and tags. If one of these fails or a signal ends it, all is as before."""
    start = git(root, "rev-parse", "HEAD")
    before = {path: (root / path).read_text(encoding="utf-8") for path in texts}
    changed = {path: text for path, text in texts.items() if text != before[path]}
    for number in STOPS:
        # nohup ignores SIGHUP.
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, stop)
    try:
        with uninterrupted():
            write(root, changed)
        for command in checks:
            run(root, command)
        require_unchanged(root, start, changed)
        # A git that is killed leaves a lock.
        with uninterrupted():
            git(root, "add", "--", *changed)
            git(root, "commit", "--quiet", "--message", f"Release {version}")
            git(root, "tag", "--annotate", "--message", f"Astrolabe {version}", version)
    except BaseException:
        with uninterrupted():
            undo(root, version, start, before, changed)
        raise


def stop(number: int, _) -> None:
    raise SystemExit(128 + number)


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Holds signals until the end of the block."""
    held = signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)


def run(root: pathlib.Path, command: List[str]) -> None:
    with subprocess.Popen(command, cwd=root) as process:
        try:
            status = process.wait()
        except BaseException:
            # It ends what it has started.
            process.terminate()
            process.wait()
            raise
    if status != 0:
        raise ReleaseError(f"{' '.join(command)} failed with status {status}.")


def require_unchanged(root: pathlib.Path, start: str, changed: Dict[str, str]) -> None:
    """Refuses what others did to the repository during the checks: it has not been checked."""
    require_main(root)
    if git(root, "rev-parse", "HEAD") != start:
        raise ReleaseError("there is a new commit since the release began. Begin again.")
    expected = {f" M {path}" for path in changed}
    found = set(git(root, "status", "--porcelain", "--untracked-files=all").splitlines())
    others = {line[3:] for line in found ^ expected}
    others |= {path for path, text in changed.items() if read(root / path) != text}
    if others:
        names = ", ".join(sorted(others))
        raise ReleaseError(f"{names} changed since the release began. Commit or discard it, and begin again.")


def undo(root: pathlib.Path, version: str, start: str, before: Dict[str, str], changed: Dict[str, str]) -> None:
    """Takes back what the release did, and nothing that others did meanwhile."""
    if git(root, "tag", "--list", version):
        git(root, "tag", "--delete", version)
    if git(root, "log", "-1", "--format=%P %s") == f"{start} Release {version}":
        git(root, "reset", "--quiet", "--soft", start)
    git(root, "reset", "--quiet", "--", *changed)
    kept = [path for path, text in changed.items() if read(root / path) not in (text, before[path])]
    write(root, {path: before[path] for path in changed if path not in kept})
    if kept:
        print(f"Something else has changed {', '.join(kept)}. The release is still in it.", file=sys.stderr)


def read(file: pathlib.Path) -> str:
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def write(root: pathlib.Path, texts: Dict[str, str]) -> None:
    for path, text in texts.items():
        (root / path).write_text(text, encoding="utf-8")
