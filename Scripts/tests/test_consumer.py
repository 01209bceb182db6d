import contextlib
import io
import unittest

from consumer import fresh, neighbours, readme
from consumer.release import Release, Run, has_built
from consumer.report import Report
from tests import SCRIPTS
from tests.tree import Tree


class FakeRelease(Release):
    """A release whose SwiftPM only makes the folders that the real one makes."""

    def __init__(self, folder, packages=("astrolabe", "swift-atomics"), is_thorough=False):
        self.root = SCRIPTS.parent
        self.folder = folder
        self.is_thorough = is_thorough
        self.packages = packages
        self.dependency = '.package(url: "https://example.com/astrolabe", branch: "main")'
        self.cache = folder / "cache"
        self.builds = []
        self.result = Run(0, "", 1, 1)

    def run(self, command, timeout=0):
        if command[:2] == ["swift", "build"]:
            folder = command[command.index("--scratch-path") + 1]
            self.builds.append(folder)
            (self.folder / folder / "debug").mkdir(parents=True, exist_ok=True)
        return self.result

    def resolved(self, package):
        return sorted(self.packages)


class ConsumerTests(unittest.TestCase):
    def setUp(self):
        tree = Tree({})
        self.addCleanup(tree.__exit__)
        self.folder = tree.root
        self.report = Report()
        self.output = io.StringIO()
        self.enterContext(contextlib.redirect_stdout(self.output))
        self.enterContext(contextlib.redirect_stderr(self.output))

    def enterContext(self, context):
        """As in Python 3.11."""
        context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)

    def build(self, release, *names):
        return [has_built(release, release.package(name, {}), "App", self.report) for name in names]

    def test_a_snippet_is_the_fenced_block_after_its_comment(self):
        one, unnamed = "<!-- snippet: one -->\n```swift\nlet a = 1\n```\n", "```swift\nlet b = 2\n```\n"
        text = f"{one}\n{unnamed}<!-- snippet: two -->\n\n```sh\nls\n```\n"
        self.assertEqual(readme.snippets(text), {"one": "let a = 1\n", "two": "ls\n"})

    def test_the_readme_has_the_snippets_that_the_test_pastes(self):
        found = readme.snippets((SCRIPTS.parent / "README.md").read_text(encoding="utf-8"))
        self.assertLessEqual({"install", "first-span"}, set(found))

    def test_a_neighbour_declares_a_target_of_its_name(self):
        self.assertIn('.target(name: "Gzip")', neighbours.manifest("Gzip"))

    def test_one_requirement_that_does_not_hold_fails_the_run(self):
        self.report.require(True, "packages", "2", "at most 2")
        self.assertEqual(self.report.status(), 0)
        self.report.require(False, "packages", "28", "at most 2")
        self.assertEqual(self.report.status(), 1)

    def test_packages_share_a_build_unless_it_is_thorough(self):
        release = FakeRelease(self.folder)
        self.assertEqual(self.build(release, "one", "two"), [True, True])
        self.assertEqual(release.builds, [str(self.folder / "build")] * 2)
        thorough = FakeRelease(self.folder, is_thorough=True)
        self.assertEqual(self.build(thorough, "one", "two"), [True, True])
        self.assertEqual(thorough.builds, [str(self.folder / name / ".build") for name in ("one", "two")])

    def test_the_first_build_of_a_folder_is_held_to_a_limit(self):
        release = FakeRelease(self.folder)
        release.result = Run(0, "[1/2] Compiling AstrolabeWire A.swift\n[2/2] Compiling App main.swift\n", 130, 121)
        self.build(release, "one")
        self.assertIn("expected under 60 s, or 120 s of CPU time, found 130.0 s, 121.0 s", self.output.getvalue())
        self.build(release, "two")
        self.assertEqual(self.report.failures, 1)
        self.assertRegex(self.output.getvalue(), r"compiled again +AstrolabeWire\n")

    def test_a_further_package_or_a_warning_fails_the_run(self):
        self.assertEqual(self.build(FakeRelease(self.folder, ("astrolabe", "swift-atomics", "yams")), "one"), [False])
        self.assertIn("found 3 (astrolabe, swift-atomics, yams)", self.output.getvalue())
        release = FakeRelease(self.folder)
        release.result = Run(0, "A.swift:1:1: warning: unused\n", 1, 1)
        self.build(release, "one")
        self.assertIn("warnings: expected none, found A.swift:1:1: warning: unused", self.output.getvalue())
        self.assertEqual(self.report.failures, 2)

    def test_the_app_beside_neighbours_prints_what_each_of_them_says(self):
        release = FakeRelease(self.folder)
        release.result = Run(0, "4.2\n" + "\n".join(neighbours.NAMES) + "\n", 1, 1)
        neighbours.check(release, self.report)
        self.assertEqual(self.report.failures, 0, self.output.getvalue())
        main = (self.folder / "neighbours/Sources/Consumer/main.swift").read_text(encoding="utf-8")
        self.assertIn("import Gzip\nimport Policy\n", main)
        release.result = Run(0, "4.2\n" + "\n".join(neighbours.NAMES[1:]) + "\n", 1, 1)
        neighbours.check(release, self.report)
        self.assertEqual(self.report.failures, 1)

    def test_the_tests_of_an_app_must_run_in_both_frameworks(self):
        release = FakeRelease(self.folder)
        both = "Executed 1 test, with 0 failures\n1 test in 0 suites passed\n"
        for output, failures in ((both, 0), (both.split("\n")[0], 1)):
            report = Report()
            release.result = Run(0, output, 1, 1)
            fresh.check(release, report)
            self.assertEqual(report.failures, failures, self.output.getvalue())


if __name__ == "__main__":
    unittest.main()
