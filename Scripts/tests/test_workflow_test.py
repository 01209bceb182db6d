import importlib.util
import os
import re
import subprocess
import sys
import unittest

from tests import SCRIPTS
from tests.tree import Tree

USER = "setpriv --reuid=nobody --regid=nogroup --clear-groups bash -e {0}"
WORKFLOW = """on: push
defaults:
  run:
    shell: %s
jobs:
  read:
    strategy:
      matrix:
        word: [one, two words]
    steps:
      - uses: actions/checkout@v7
      - name: Prepare
        run: %s
        shell: sh
      - name: Read
        run: |
          echo "$WORD by $(id -un)"
          stat --format "group %%g" .github
          git ls-files >listed
          cat listed
        env:
          WORD: ${{ matrix.word }}
      - name: On failure
        if: failure()
        run: echo not run
  other:
    steps:
      - run: id -u
        shell: sh
"""
OWN = "chown -R nobody ."
IS_ROOT = os.geteuid() == 0


@unittest.skipUnless(importlib.util.find_spec("ruamel"), "the packages of Scripts/requirements-checks.txt")
class WorkflowTestTests(unittest.TestCase):
    def run_workflow(self, *arguments, prepare=OWN):
        with Tree({".github/workflows/ci-linux.yml": WORKFLOW % (USER, prepare)}) as tree:
            git = ["git", "-C", str(tree.root), "-c", "user.name=a", "-c", "user.email=a"]
            subprocess.run([*git, "init", "--quiet"], check=True)
            subprocess.run([*git, "add", "."], check=True)
            subprocess.run([*git, "commit", "--quiet", "--message", "A"], check=True)
            command = [sys.executable, "-B", SCRIPTS / "workflow-test", "--root", tree.root, *arguments]
            return subprocess.run(command, capture_output=True, text=True, check=False)

    def test_the_commands_are_listed_with_who_runs_them(self):
        listed = self.run_workflow("--list", "other").stdout
        self.assertEqual(listed, "other: step 1: sh -e {0}\nid -u\n")
        self.assertIn(f"read two words: Read: {USER}\n", self.run_workflow("--list").stdout)

    def test_an_unknown_job_is_refused(self):
        result = self.run_workflow("write")
        self.assertEqual(result.returncode, 2)
        self.assertIn("expected a job among read, other, found: write", result.stderr)

    def test_the_workflow_of_this_repository_prepares_as_root_and_runs_as_a_user(self):
        command = [sys.executable, "-B", SCRIPTS / "workflow-test", "--list"]
        listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        commands = re.findall(r": ([^:\n]+ \{0\})\n(\S+)", listed)
        self.assertGreater(len(commands), 10)
        for shell, first_word in commands:
            as_root = ("sh -e {0}", ".ci/container")
            self.assertTrue((shell, first_word) == as_root or shell == "runuser builder -- -e {0}", (shell, first_word))

    @unittest.skipUnless(IS_ROOT, "only root gives a clone to another user")
    def test_each_combination_runs_as_the_user_in_a_clone_that_the_workflow_makes_its_own(self):
        result = self.run_workflow()
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        for word in ("one", "two words"):
            read = f"{word} by nobody\ngroup 54321\n.github/workflows/ci-linux.yml"
            self.assertIn(f"\n{read}\nread {word}: Read: passed", result.stdout)
        self.assertIn("\nother: step 1\n0\nother: step 1: passed", result.stdout)
        self.assertNotIn("not run", result.stdout)
        self.assertTrue(result.stdout.endswith("3 of 3 jobs passed\n"), result.stdout)

    @unittest.skipUnless(IS_ROOT, "only root gives a clone to another user")
    def test_a_workflow_that_leaves_the_clone_to_another_user_fails(self):
        result = self.run_workflow("read", prepare="chmod -R a+w .")
        self.assertEqual(result.returncode, 1)
        self.assertIn("read one: Read: failed with status 128", result.stdout)
        self.assertIn("dubious ownership", result.stderr)
        self.assertTrue(result.stdout.endswith("0 of 2 jobs passed\n"), result.stdout)


if __name__ == "__main__":
    unittest.main()
