import unittest

from law import snippets
from tests import SCRIPTS
from tests.tree import Tree

PAGE = "# Page\n\n<!-- snippet: one -->\n```swift\nlet a = 1\n```\n"
SOURCE = "func f() {\n    // snippet: one\n    let a = 1\n    // snippet: end\n}\n"
FILE = "Tests/DocumentationTests/Snippets/One.swift"


class SnippetTests(unittest.TestCase):
    def messages(self, files):
        with Tree(files) as tree:
            return [str(violation) for violation in snippets.check(tree.root)]

    def test_code_that_equals_its_region_passes(self):
        self.assertEqual(self.messages({"README.md": PAGE, FILE: SOURCE}), [])

    def test_code_that_differs_fails_and_is_repaired_by_write(self):
        with Tree({"README.md": PAGE, FILE: SOURCE.replace("= 1", "= 2")}) as tree:
            self.assertIn("README.md:4: differs", str(next(snippets.check(tree.root))))
            snippets.write(tree.root)
            self.assertEqual(list(snippets.check(tree.root)), [])
            self.assertIn("let a = 2\n```\n", (tree.root / "README.md").read_text(encoding="utf-8"))

    def test_code_without_a_name_fails_unless_the_page_says_why(self):
        unmarked = "```swift\nlet a = 1\n```\n"
        for page in ("README.md", "Sources/A/A.docc/A.md", "Docs/A.md", "Docs/Guide/A.md"):
            self.assertEqual(len(self.messages({page: unmarked})), 1, page)
            reason = "<!-- not compiled: needs Alamofire -->\n"
            self.assertEqual(self.messages({page: reason + unmarked}), [], page)
            self.assertEqual(len(self.messages({page: reason + "Text.\n\n" + unmarked})), 1, page)
        self.assertEqual(self.messages({"Docs/A.md": "# A\n\nThis code is not compiled\nhere:\n\n" + unmarked}), [])
        self.assertEqual(len(self.messages({"Docs/A.md": "It is not compiled here.\n\n## B\n\n" + unmarked})), 1)
        self.assertEqual(self.messages({"Docs/Internals/A.md": unmarked}), [])

    def test_the_code_of_the_pages_is_compiled_as_that_of_another_package(self):
        manifest = (SCRIPTS.parent / "Package.swift").read_text(encoding="utf-8")
        target = manifest.split('name: "AstrolabeDocumentationTests"')[1].split("\n    ),")[0]
        self.assertIn("packageAccess: false", target)

    def test_a_name_without_a_region_and_a_region_without_a_page_fail(self):
        self.assertEqual(len(self.messages({"README.md": PAGE})), 1)
        self.assertEqual(len(self.messages({FILE: SOURCE})), 1)

    def test_the_pages_of_the_repository_show_what_is_compiled(self):
        self.assertEqual(list(snippets.check(SCRIPTS.parent)), [])
