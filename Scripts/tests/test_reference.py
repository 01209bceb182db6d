import unittest

from law import reference
from tests import SCRIPTS
from tests.tree import Tree

FILE = "Sources/Sessions/SessionLimits.swift"
LIMITS = """public struct SessionLimits {
    /// The time without activity. Default 30 minutes. `ASTROLABE_INACTIVITY`.
    public var inactivity: Duration = .seconds(1_800)
    package var hidden = 3
}
"""


class ReferenceTests(unittest.TestCase):
    def settings(self, text):
        with Tree({FILE: text}) as tree:
            return reference.settings(tree.root, "SessionLimits", FILE)

    def test_a_public_setting_has_its_type_and_the_default_of_its_code(self):
        found = self.settings(LIMITS)
        rows = [(each.name, each.type, each.default) for each in found]
        self.assertEqual(rows, [("inactivity", "Duration", "1,800 s")])

    def test_a_comment_that_states_another_default_fails(self):
        root = SCRIPTS.parent
        files = {path: (root / path).read_text(encoding="utf-8") for _, _, path in reference.SETTINGS}
        with Tree({**files, FILE: LIMITS}) as tree:
            self.assertEqual(list(reference.contradictions(tree.root)), [])
        with Tree({**files, FILE: LIMITS.replace("30 minutes", "20 minutes")}) as tree:
            self.assertIn("says Default 20 minutes", str(next(reference.contradictions(tree.root))))

    def test_a_setting_that_is_a_choice_leads_to_its_values(self):
        root = SCRIPTS.parent
        files = {path: (root / path).read_text(encoding="utf-8") for _, _, path in reference.SETTINGS}
        limits = LIMITS.replace("package var hidden = 3", "public var end: Set<End> = []").replace(
            "public struct", "public enum End {\n    /// At once.\n    case now(Int)\n}\n\npublic struct", 1)
        with Tree({**files, FILE: limits}) as tree:
            page = reference.render_settings(tree.root)
        self.assertIn("| `end` | [`Set<End>`](#choices) | none |", page)
        self.assertIn("| `End` | `now(Int)` | At once. |\n", page)

    def test_the_pages_of_the_repository_are_those_of_the_sources(self):
        self.assertEqual(list(reference.check(SCRIPTS.parent)), [])
