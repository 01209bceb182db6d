"""A test environment for the front door: a copy of the scripts, and a PATH with only the tools that a test allows."""

import os
import pathlib
import shutil
import subprocess
from typing import List, NamedTuple

from tests import SCRIPTS
from tests.tree import Tree

# The standard Unix utilities that the scripts call. All others are fakes or missing.
UTILITIES = set(
    """
    awk cat cp date dirname env find grep head mkdir mv printf readlink rm sed sh sleep tail tee touch tr true xargs
    """.split()
)
FAKES = SCRIPTS / "tests" / "fakes"
PROGRAM = '#!/bin/sh\nprintf "<%s>" "$@"\nprintf "\\n%s\\n" "$PWD"\nexit "${FAKE_STATUS-0}"\n'


class Result(NamedTuple):
    status: int
    output: str
    messages: str


class Machine(Tree):
    """Runs the copy of ./astrolabe in a folder with a space in its name, without a terminal."""

    def __init__(self, fakes=("swift", "clang++", "id", "uname"), shell: str = "sh"):
        super().__init__({"state/missing": "", "state/calls": "", "state/hashing": "", "state/program": PROGRAM})
        self.repository = self.root / "the repository"
        self.bin = self.root / "bin"
        self.state = self.root / "state"
        self.bin.mkdir()
        (self.state / "program").chmod(0o755)
        for name in UTILITIES:
            self.link(name, shutil.which(shell if name == "sh" else name))
        self.link("git", shutil.which("git"))
        for name in fakes:
            self.link(name, FAKES / name)
        shutil.copytree(SCRIPTS / "lib", self.repository / "Scripts/lib")
        shutil.copy(SCRIPTS.parent / "astrolabe", self.repository / "astrolabe")
        (self.repository / "Tools").mkdir()
        for name in ("requirements.txt", "requirements-clients.txt", "requirements-independent.txt"):
            (self.repository / "Scripts" / name).write_text("a==1\n", encoding="utf-8")

    def link(self, name: str, file) -> None:
        """Adds a program to PATH."""
        (self.bin / name).symlink_to(file)

    def mark(self, name: str, text: str = "") -> None:
        """Writes a file that changes what the fakes do."""
        (self.state / name).write_text(text, encoding="utf-8")

    @property
    def calls(self) -> List[str]:
        """The recorded calls of the fakes, except `swift --version`."""
        lines = (self.state / "calls").read_text(encoding="utf-8").split("\n")
        return [line for line in lines if line and line != "swift --version"]

    def forget(self) -> None:
        """Clears the recorded calls."""
        self.mark("calls")

    def edit(self) -> None:
        """Changes a source file of the checkout, so that the next run builds again."""
        (self.repository / "Tools/Edited.swift").write_text(f"// {len(self.calls)}", encoding="utf-8")

    def environment(self, **settings: str) -> dict:
        """Environment variables with a PATH that has nothing of the real machine."""
        return {"PATH": str(self.bin), "HOME": str(self.root), "MACHINE": str(self.state), **settings}

    def start(
        self,
        *arguments: str,
        door: str = "the repository/astrolabe",
        directory: str = "/",
        stdin: int = subprocess.DEVNULL,
        stderr: int = subprocess.PIPE,
        **settings: str,
    ) -> subprocess.Popen:
        """Starts the front door without waiting for it."""
        return subprocess.Popen(
            [str(self.root / door), *arguments],
            cwd=directory,
            env=self.environment(**settings),
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
        )

    def run(self, *arguments: str, stdin: str = "", **settings: str) -> Result:
        """Runs the front door and waits until it exits."""
        process = self.start(*arguments, stdin=subprocess.PIPE, **settings)
        output, messages = process.communicate(stdin, timeout=300)
        return Result(process.returncode, output, messages)
