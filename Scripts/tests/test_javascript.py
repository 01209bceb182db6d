import os
import re
import unittest
import unittest.mock

from law import javascript
from tests import SCRIPTS
from tests.tree import Tree

PAGE = "Tools/Console/Sources/TelemetryConsole/Assets/pages/a.js"
LIB = "Tools/Console/Sources/TelemetryConsole/Assets/lib/sums.js"
SHARED = "Tools/ServerSupport/Sources/ServerSupport/Assets/shared/format.js"
TEST = "Tools/JavaScript/Tests/sums.test.mjs"
SCRIPT = {
    PAGE: 'import { sum } from "../lib/sums.js";\n\nexport const text = `${sum(1, 2)}`;\n',
    LIB: 'import { unit } from "../shared/format.js";\n\n'
    "/**\n * @param {number} one\n * @param {number} other\n */\n"
    "export function sum(one, other) {\n  return `${one + other} ${unit}`;\n}\n",
    SHARED: 'export const unit = "ms";\n',
    TEST: 'import assert from "node:assert/strict";\nimport test from "node:test";\n\n'
    'import { sum } from "../../Console/Sources/TelemetryConsole/Assets/lib/sums.js";\n\n'
    'test("a sum has its unit", () => {\n  assert.equal(sum(1, 2), "3 ms");\n});\n',
}
CONFIGURATION = (
    *javascript.PROJECTS,
    javascript.RULES,
    javascript.LOADER,
    "Tools/JavaScript/browser.d.ts",
    "Tools/JavaScript/resolution.mjs",
)
TOOLS = [javascript.missing(tool) for tool in ("tsc", "eslint", "node")]


class JavaScriptTests(unittest.TestCase):
    def check(self, *changes, **options):
        """What is found in a repository with the rules of this one, in which `(path, old, new)` are changed."""
        scripts = dict(SCRIPT)
        for path, old, new in changes:
            self.assertIn(old, scripts[path])
            scripts[path] = scripts[path].replace(old, new, 1)
        for path in CONFIGURATION:
            scripts[path] = (SCRIPTS.parent / path).read_text(encoding="utf-8")
        with Tree(scripts) as tree:
            result = javascript.check(tree.root, **options)
            return sorted(map(str, result.violations)), result.notes

    @unittest.skipIf(any(TOOLS), "; ".join(filter(None, TOOLS)))
    def test_scripts_without_an_error_pass(self):
        self.assertEqual(self.check(), ([], []))

    @unittest.skipIf(TOOLS[0], TOOLS[0])
    def test_errors_of_types_are_found_on_their_lines(self):
        with self.only("tsc"):
            found, _ = self.check(
                (PAGE, "sum(1, 2)", "sum(1)"),
                (PAGE, "\n\n", '\nimport { gone } from "../lib/gone.js";\n'),
                (LIB, "}\n", "}\n\nexport const twice = (one) => 2 * one;\n"),
            )
        self.assertEqual(len(found), 3, found)
        self.assertIn(f"{LIB}:11: TS7006: Parameter 'one' implicitly has an 'any' type.", found[0])
        self.assertIn(f"{PAGE}:2: TS2307: Cannot find module '../lib/gone.js'", found[1])
        self.assertIn(f"{PAGE}:3: TS2554: Expected 2 arguments, but got 1.", found[2])

    @unittest.skipIf(TOOLS[1], TOOLS[1])
    def test_what_the_rules_forbid_is_found_on_its_line(self):
        lines = ("let text = 1;", "export const b = text == unknown;", "const c = (b) => b;")
        with self.only("eslint"):
            found, _ = self.check(
                (PAGE, "export const text = `${sum(1, 2)}`;\n", "\n".join(lines)),
                (LIB, "../shared/format.js", "../pages/a.js"),
                (SHARED, "export", "exports"),
            )
        rules = [re.sub(r": .*[( ](\S+?)\)?$", r": \1", violation) for violation in found]
        self.assertEqual(
            [rule.replace("Tools/Console/Sources/TelemetryConsole/Assets/", "") for rule in rules[:-1]],
            [
                "lib/sums.js:1: no-restricted-imports",
                "pages/a.js:1: no-unused-vars",
                "pages/a.js:3: prefer-const",
                "pages/a.js:4: no-undef",
                "pages/a.js:4: eqeqeq",
                "pages/a.js:5: no-shadow",
                "pages/a.js:5: no-unused-vars",
            ],
        )
        self.assertTrue(found[-1].startswith(f"{SHARED}:1: Parsing error: "), found)

    @unittest.skipIf(TOOLS[2], TOOLS[2])
    def test_a_test_that_fails_is_named(self):
        with self.only("node"):
            (found,), _ = self.check((SHARED, "ms", "s"))
            self.assertRegex(found, r"^Tools/JavaScript/Tests\S*:\d+: a sum has its unit: .*strictly equal.*3 s.*3 ms")
            (found,), _ = self.check((TEST, "import { sum }", "import { gone }"))
            self.assertRegex(found, rf"^{TEST}:1: {TEST}: SyntaxError: .* does not provide an export named 'gone'$")

    def test_a_tool_that_is_missing_is_noted_and_in_continuous_integration_an_error(self):
        with unittest.mock.patch.dict(os.environ, PATH="/nowhere"):
            found, notes = self.check()
            self.assertEqual(found, [])
            self.assertEqual(
                notes,
                [
                    "Not checked: the types of the pages' scripts, because tsc is not installed.",
                    "Not checked: the rules of the pages' scripts, because eslint is not installed.",
                    "Not checked: the tests of the pages' scripts, because node is not installed.",
                ],
            )
            found, notes = self.check(is_complete=True)
            self.assertEqual((len(found), notes), (3, []))
            self.assertIn("Tools/JavaScript:1: tsc is not installed; Debian has it in ", found[2])

    def test_a_check_without_scripts_or_tests_fails(self):
        for scripts in ({TEST: SCRIPT[TEST]}, {PAGE: SCRIPT[PAGE]}):
            with Tree(scripts) as tree:
                (found,), _ = javascript.check(tree.root)
                self.assertEqual(str(found), "Tools/JavaScript:1: expected scripts of pages and their tests to check")

    def only(self, tool):
        """Leaves out the other tools, so that one is tried alone."""
        missing = lambda name: None if name == tool else f"{name} is left out"  # noqa: E731
        return unittest.mock.patch.object(javascript, "missing", missing)
