import unittest

from consumer import neighbours, readme
from consumer.report import Report
from tests import SCRIPTS


class ConsumerTests(unittest.TestCase):
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
        report = Report()
        report.require(True, "packages", "2", "at most 2")
        self.assertEqual(report.status(), 0)
        report.require(False, "packages", "28", "at most 2")
        self.assertEqual(report.status(), 1)
