import shutil
import subprocess
import unittest

from tests import SCRIPTS
from tests.tree import Tree

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


@unittest.skipUnless(shutil.which("swift"), "needs swift format")
class FormatTests(unittest.TestCase):
    def lint(self, text: str) -> str:
        with Tree({"A.swift": text}) as tree:
            configuration = str(SCRIPTS.parent / ".swift-format")
            command = ["swift", "format", "lint", "--strict", "--configuration", configuration, "A.swift"]
            return subprocess.run(command, cwd=tree.root, capture_output=True, text=True).stderr

    def test_a_test_with_a_sentence_for_a_name_is_lawful(self):
        self.assertEqual(self.lint(LAWFUL), "")

    def test_what_it_forbids_is_caught(self):
        for rule, text in {
            "NeverForceUnwrap": "let a = b!\n",
            "NeverUseForceTry": "let a = try! b()\n",
            "NeverUseImplicitlyUnwrappedOptionals": "struct A {\n    var b: Int!\n}\n",
            "OrderedImports": "import B\nimport A\n",
            "TrailingComma": "f(\n    a: 1,\n    b: 2\n)\n",
            "Indentation": "struct A {\n  let b = 1\n}\n",
            "LineLength": "let sum = " + " + ".join(["number"] * 20) + "\n",
        }.items():
            self.assertIn(f"[{rule}]", self.lint(text), rule)


if __name__ == "__main__":
    unittest.main()
