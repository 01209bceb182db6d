import re
import shutil
import unittest

from law import formatting
from tests import SCRIPTS
from tests.tree import Tree

CONFIGURATION = (SCRIPTS.parent / ".swift-format").read_text(encoding="utf-8")

LAWFUL = """import Testing

@Suite struct `A cart` {
    @Test(arguments: [1, 2])
    func `adds what it is given`(quantity: Int) throws {
        let sum = try #require(Int("1"))
        #expect(add(sum, quantity) > quantity)
    }
}

private func add(
    _ left: Int,
    _ right: Int,
) -> Int {
    left + right
}
"""

# A source for each rule that breaks it.
UNLAWFUL = {
    "NeverForceUnwrap": "let a = b!\n",
    "NeverUseForceTry": "let a = try! b()\n",
    "NeverUseImplicitlyUnwrappedOptionals": "struct A {\n    var b: Int!\n}\n",
    "OrderedImports": "import B\nimport A\n",
    "Indentation": "struct A {\n  let b = 1\n}\n",
    "LineLength": "let sum = " + " + ".join(["number"] * 20) + "\n",
}


@unittest.skipUnless(shutil.which("swift"), "needs swift format")
class FormatTests(unittest.TestCase):
    def test_what_it_forbids_is_found_and_a_test_with_a_sentence_for_a_name_is_lawful(self):
        files = {f"Sources/{rule}.swift": text for rule, text in UNLAWFUL.items()}
        with Tree({".swift-format": CONFIGURATION, "Tests/Lawful.swift": LAWFUL, **files}) as tree:
            result = formatting.check(tree.root)
        self.assertEqual(result.status, 1)
        found = re.findall(r"^(\S+?):\d+:\d+: error: \[(\w+)\]", result.output, re.MULTILINE)
        for path in files:
            self.assertIn((path, path[len("Sources/") : -len(".swift")]), found)
        self.assertNotIn("Lawful", result.output)


class ChangedSourcesTests(unittest.TestCase):
    """Swift format is replaced by a function that finds something in each file with the word "wrong"."""

    def setUp(self):
        self.calls = []
        self.version = "6.3.1"
        self.tree = Tree({"A.swift": "a", "B.swift": "b", "Docs/C.md": "c"})
        self.addCleanup(self.tree.__exit__)

    def run_swift_format(self, root, arguments):
        if arguments == ["--version"]:
            return formatting.Result(0, self.version)
        options = [word for word in arguments if not word.endswith(".swift")]
        files = arguments[len(options) :]
        self.calls.append(files)
        wrong = [file for file in files if "wrong" in (root / file).read_text(encoding="utf-8")]
        output = "".join(f"{file}:1:1: error: [Spacing] add a space\n" for file in wrong)
        return formatting.Result(1 if wrong else 0, output)

    def check(self):
        """The status of a check, and the files that swift format has read for it."""
        self.calls = []
        status = formatting.check(self.tree.root, self.run_swift_format).status
        return status, sum(self.calls, [])

    def write(self, name, text):
        (self.tree.root / name).write_text(text, encoding="utf-8")

    def test_a_source_that_has_passed_is_checked_again_when_it_changes(self):
        self.assertEqual(self.check(), (0, ["A.swift", "B.swift"]))
        self.assertEqual(self.check(), (0, []))
        self.write("B.swift", "b2")
        self.assertEqual(self.check(), (0, ["B.swift"]))
        (self.tree.root / "A.swift").rename(self.tree.root / "D.swift")
        self.assertEqual(self.check(), (0, []))

    def test_a_source_with_a_finding_is_checked_until_it_is_right(self):
        self.write("A.swift", "wrong")
        self.assertEqual(self.check(), (1, ["A.swift", "B.swift"]))
        self.assertEqual(self.check(), (1, ["A.swift"]))
        self.write("A.swift", "a")
        self.assertEqual(self.check(), (0, ["A.swift"]))

    def test_another_configuration_or_version_checks_everything(self):
        self.check()
        self.write(".swift-format", "{}")
        self.assertEqual(self.check(), (0, ["A.swift", "B.swift"]))
        self.version = "6.4"
        self.assertEqual(self.check(), (0, ["A.swift", "B.swift"]))

    def test_many_sources_are_read_in_batches_that_a_user_may_open_at_once(self):
        names = [f"C{number}.swift" for number in range(formatting.BATCH)]
        for name in names:
            self.write(name, name)
        self.write("A.swift", "wrong")
        self.assertEqual(self.check(), (1, sorted(["A.swift", "B.swift", *names])))
        self.assertEqual([len(files) for files in self.calls], [formatting.BATCH, 2])
        self.assertEqual(self.check(), (1, ["A.swift"]))

    def test_a_failure_without_a_finding_lets_nothing_pass(self):
        crash = formatting.Result(1, "error: Unable to open A.swift\n")
        broken = formatting.check(self.tree.root, lambda _, arguments: crash)
        self.assertEqual(broken.status, 1)
        self.assertEqual(self.check(), (0, ["A.swift", "B.swift"]))

    def test_without_sources_it_fails(self):
        with Tree({"Docs/C.md": "c"}) as tree:
            self.assertEqual(formatting.check(tree.root, self.run_swift_format).status, 1)

    def test_only_changed_sources_are_repaired(self):
        self.check()
        self.write("B.swift", "wrong")
        self.calls = []
        formatting.repair(self.tree.root, self.run_swift_format)
        self.assertEqual(self.calls, [["B.swift"]])


if __name__ == "__main__":
    unittest.main()
