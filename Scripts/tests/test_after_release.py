import os
import shutil
import sys
import unittest

from releasing import git
from tests import SCRIPTS
from tests.program import run
from tests.release_repository import IdentityCase
from tests.tree import Tree

ROOT = SCRIPTS.parent

# The tests that read the files of the root, which a release changes.
READERS = [
    "test_release.ThisRepositoryTests", "test_mirror.ThisRepositoryTests", "test_documentation", "test_consumer",
    "test_requirement", "test_pictures",
]

# Stands before the front door, whose check builds.
DOOR = '#!/bin/sh\ncd Scripts && exec "$PYTHON" -B -m unittest $READERS >"$LOG" 2>&1\n'


class AfterReleaseTests(IdentityCase):
    def test_the_scripts_tests_pass_during_and_after_a_release_of_this_repository(self):
        with Tree({"log": ""}) as tree:
            copy, log = tree.root / "copy", tree.root / "log"
            self.copy(copy)
            change(copy / "astrolabe", lambda text: DOOR + text)
            change(copy / "CHANGELOG.md", lambda text: text.replace("[Unreleased]\n", "[Unreleased]\n\n- More.\n", 1))
            git(copy, "init", "--quiet")
            git(copy, "symbolic-ref", "HEAD", "refs/heads/main")
            git(copy, "add", "--all", "--force")
            git(copy, "commit", "--quiet", "--message", "Copy")
            readers = " ".join(f"tests.{name}" for name in READERS)
            environment = {**os.environ, "PYTHON": sys.executable, "LOG": str(log), "READERS": readers}
            result = run("release", "--root", copy, "987.6.5", "--tested", environment=environment)
            self.assertEqual(result.returncode, 0, log.read_text(encoding="utf-8") + result.stderr)
            self.assertIn("\nOK", log.read_text(encoding="utf-8"))

    def copy(self, folder):
        """Copies what git does not ignore, as it is now."""
        for path in git(ROOT, "ls-files", "--cached", "--others", "--exclude-standard").splitlines():
            if (ROOT / path).is_symlink() or (ROOT / path).is_file():
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / path, folder / path, follow_symlinks=False)


def change(file, function):
    file.write_text(function(file.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    unittest.main()
