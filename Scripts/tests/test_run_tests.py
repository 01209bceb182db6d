import os
import pathlib
import subprocess
import tempfile
import time
import unittest

RUN_TESTS = pathlib.Path(__file__).resolve().parent.parent / "run-tests"

BUNDLE = """#!/bin/sh
echo "$0 $*" >>"$(dirname "$0")/calls"
while [ $# -gt 0 ]; do
    [ "$1" != --xunit-output ] || report=$2
    shift
done
printf '<testsuites><testsuite>' >"$report"
%s
printf '</testsuite></testsuites>' >>"$report"
exit ${status-0}
"""
PASSES = """printf '<testcase classname="A.B" name="c()" time="0.5"/>' >>"$report"; echo '✔ Test "c" passed'"""
FAILS = """printf '<testcase classname="A.B" name="d()" time="7"><failure message="no"/></testcase>' >>"$report"
echo '✘ Test "d" recorded an issue at D.swift:1:1: Expectation failed: 1 == 2'; echo '↳ one is two'
echo 'as the page says'
echo '✔ Test "f" passed'; echo 'unrelated'; status=1"""
SKIPS = PASSES + """\necho '➜ Test "e" skipped: "there is no Python here"'"""
BUNDLES = ("astrolabe", "integrations", "astronomy-shop", "simulator", "console", "lab")


class RunTestsTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name in BUNDLES:
            self.bundle(name, PASSES)

    def bundle(self, name, script):
        path = self.folder / f"{name}PackageTests.xctest"
        path.write_text(BUNDLE % script, encoding="utf-8")
        path.chmod(0o755)

    def run_tests(self, *arguments):
        command = [RUN_TESTS, "--folder", self.folder, "--reports", self.folder / "reports", "--without-preparation"]
        env = {name: value for name, value in os.environ.items() if name != "ASTROLABE_KOTLIN"}
        return subprocess.run([*command, *arguments], capture_output=True, text=True, check=False, env=env)

    def test_all_houses_run_and_the_last_line_counts(self):
        result = self.run_tests()
        self.assertEqual((result.returncode, result.stdout.splitlines()[-1]), (0, "7 passed, 0 failed, 0 skipped"))
        calls = (self.folder / "calls").read_text(encoding="utf-8").splitlines()
        self.assertEqual(sum("consolePackageTests" in call for call in calls), 2, "the console runs in two parts")

    def test_one_house_runs_alone(self):
        self.assertEqual(self.run_tests("sdk").stdout.splitlines()[-1], "1 passed, 0 failed, 0 skipped")

    def test_what_a_bundle_leaves_in_its_temporary_folder_is_removed(self):
        self.bundle("lab", PASSES + f"""\necho left >"$TMPDIR/left"; echo "$TMPDIR" >"{self.folder}/place\"""")
        self.run_tests("lab")
        place = pathlib.Path((self.folder / "place").read_text(encoding="utf-8").strip())
        self.assertNotEqual(place, pathlib.Path(tempfile.gettempdir()))
        self.assertFalse(place.exists())

    def test_a_failure_is_shown_with_its_comment_and_fails_the_run(self):
        self.bundle("lab", FAILS)
        result = self.run_tests("lab", "sdk")
        self.assertEqual((result.returncode, result.stdout.splitlines()[-1]), (1, "1 passed, 1 failed, 0 skipped"))
        self.assertIn("D.swift:1:1: Expectation failed: 1 == 2\n    ↳ one is two\n", result.stdout)
        self.assertIn("    ↳ one is two\n      as the page says\n", result.stdout)
        self.assertNotIn("unrelated", result.stdout)
        self.assertIn("7.0 s  A.B.d()", result.stdout)

    def test_a_bundle_that_crashes_fails_the_run(self):
        self.bundle("astrolabe", "kill -SEGV $$")
        result = self.run_tests("sdk", "lab")
        self.assertEqual((result.returncode, result.stdout.splitlines()[-1]), (1, "1 passed, 1 failed, 0 skipped"))
        self.assertIn("ended with status -11", result.stdout)

    def test_a_skipped_test_is_named_with_its_reason(self):
        self.bundle("simulator", SKIPS)
        result = self.run_tests("simulator")
        self.assertIn('skipped  Test "e" skipped: "there is no Python here"', result.stdout)
        self.assertTrue(result.stdout.endswith("1 passed, 0 failed, 1 skipped\n"))

    def test_a_filter_that_matches_nothing_fails(self):
        for name in BUNDLES:
            self.bundle(name, "status=69")
        result = self.run_tests("--filter", "Nonsense")
        self.assertEqual(result.returncode, 2)
        self.assertIn("no test matches", result.stderr)

    def test_when_the_time_is_up_all_is_ended(self):
        self.bundle("lab", "sleep 60")
        started = time.monotonic()
        result = self.run_tests("--minutes", "0.01", "lab")
        self.assertEqual(result.returncode, 124)
        self.assertIn("not done after 0.01 minutes, and ended: lab", result.stdout)
        self.assertLess(time.monotonic() - started, 30)

    def test_a_wrong_call_says_what_was_expected(self):
        result = self.run_tests("kitchen")
        self.assertEqual(result.returncode, 2)
        self.assertIn("expected houses", result.stderr)


if __name__ == "__main__":
    unittest.main()
