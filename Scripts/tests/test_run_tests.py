import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from tests import SCRIPTS, program

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
BUNDLES = ("astrolabe", "integrations", "shop-server", "simulator", "console", "lab")


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

    def options(self, *arguments):
        return ["--folder", self.folder, "--reports", self.folder / "reports", *arguments]

    def environment(self):
        return {name: value for name, value in os.environ.items() if name != "ASTROLABE_KOTLIN"}

    def run_tests(self, *arguments):
        return program.run("run-tests", *self.options(*arguments), environment=self.environment())

    def test_all_houses_run_and_the_last_line_counts(self):
        command = [SCRIPTS / "run-tests", *self.options()]
        result = subprocess.run(command, capture_output=True, text=True, check=False, env=self.environment())
        self.assertEqual((result.returncode, result.stdout.splitlines()[-1]), (0, "9 passed, 0 failed, 0 skipped"))
        calls = (self.folder / "calls").read_text(encoding="utf-8").splitlines()
        self.assertEqual(sum("consolePackageTests" in call for call in calls), 4, "the console runs in four parts")

    def test_one_house_runs_alone(self):
        self.assertEqual(self.run_tests("sdk").stdout.splitlines()[-1], "1 passed, 0 failed, 0 skipped")

    def test_a_unit_runs_alone(self):
        self.assertEqual(self.run_tests("console-phone").stdout.splitlines()[-1], "1 passed, 0 failed, 0 skipped")
        calls = (self.folder / "calls").read_text(encoding="utf-8").splitlines()
        self.assertEqual(len(calls), 1)
        self.assertIn("--filter ^(PhoneTests|AstrolabeCLITests)", calls[0])

    def test_the_workflow_runs_every_unit_once(self):
        workflow = (SCRIPTS.parent / ".github/workflows/ci-linux.yml").read_text(encoding="utf-8")
        listed = workflow.split("units:\n")[1].split("steps:")[0]
        units = re.findall(r'Unit\("([\w-]+)"', (SCRIPTS / "run-tests").read_text(encoding="utf-8"))
        self.assertEqual(sorted(listed.replace("- ", "").split()), sorted(units))

    def test_the_products_of_houses_and_units_are_named_once_each(self):
        result = program.run("run-tests", "--products", "console", "console-phone", "sdk", "android")
        self.assertEqual(result.stdout, "consolePackageTests\nastrolabePackageTests\nastrolabe\n")

    def test_repeated_runs_count_what_failed_how_often(self):
        once = f"""if mkdir '{self.folder}/first' 2>/dev/null; then {FAILS}
fi\n{PASSES}"""
        self.bundle("lab", once)
        result = self.run_tests("--repeat", "3", "--under-load", "lab")
        self.assertEqual(result.returncode, 1)
        self.assertIn("  run 1 of 3: 1 passed, 1 failed, 0 skipped, in ", result.stdout)
        self.assertIn("  run 3 of 3: 1 passed, 0 failed, 0 skipped, in ", result.stdout)
        self.assertIn("\n  failed 1 of 3 times: A.B.d()\n  2 of 3 runs passed\n", result.stdout)
        self.assertEqual(result.stdout.splitlines()[-1], "3 passed, 1 failed, 0 skipped")

    def test_a_run_under_load_keeps_every_processor_busy_and_ends_its_loops(self):
        # Those of this process alone: another run may have its own.
        loops = f"pgrep -P {os.getpid()} -fc '^[^ ]*python[^ ]* -c while True: pass$'"
        self.bundle("lab", PASSES + f"""\n{loops} >'{self.folder}/loops'""")
        self.run_tests("--under-load", "lab")
        beside = int((self.folder / "loops").read_text(encoding="utf-8"))
        after = int(subprocess.run(["sh", "-c", loops], capture_output=True, text=True, check=False).stdout)
        self.assertEqual(beside - after, os.cpu_count())

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

    def test_a_lock_that_is_held_where_none_may_be_fails_the_run(self):
        breach = "Lock rule broken: calling beforeSend while the lock that was taken at A/B.swift:7 is held."
        self.bundle("lab", PASSES + f"\necho '[astrolabe] {breach}' >&2; echo '[astrolabe] {breach}' >&2")
        result = self.run_tests("lab", "sdk")
        self.assertEqual((result.returncode, result.stdout.splitlines()[-1]), (1, "2 passed, 1 failed, 0 skipped"))
        self.assertEqual(result.stdout.count(breach), 1)
        self.assertIn("  failed  lab ", result.stdout)

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
        self.bundle("lab", f"sleep 300; echo done >'{self.folder}/done'")
        result = self.run_tests("--minutes", "0.01", "lab")
        self.assertEqual(result.returncode, 124)
        self.assertIn("not done after 0.01 minutes, and ended: lab", result.stdout)
        self.assertFalse((self.folder / "done").exists())

    def test_a_wrong_call_says_what_was_expected(self):
        result = self.run_tests("kitchen")
        self.assertEqual(result.returncode, 2)
        self.assertIn("found --folder", result.stderr)
        self.assertIn("console-phone", result.stderr)


if __name__ == "__main__":
    unittest.main()
