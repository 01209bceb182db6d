import unittest

from law import symbol_links
from tests.tree import Tree

KEYS = """\
/// Keys.
public enum AttributeKey {
    /// See ``MetricName/made`` and ``AttributeKey/view(_:)``.
    public static let sessionID = "session.id"
    public static func view(_ name: String) -> String { name }
}
"""


class SymbolLinkTests(unittest.TestCase):
    def check(self, **files):
        with Tree({f"Sources/Semantics/{name}.swift": text for name, text in files.items()}) as tree:
            return [str(found) for found in symbol_links.check(tree.root)]

    def test_a_link_to_a_member_of_any_file_is_let_through(self):
        made = 'extension MetricName {\n    /// A ``AttributeKey/sessionID``.\n    static let made = "made"\n}\n'
        self.assertEqual(self.check(Keys=KEYS, Made=made), [])

    def test_a_link_to_what_is_not_there_is_refused(self):
        refused = ["Sources/Semantics/Keys.swift:3: ``MetricName/made`` is declared nowhere in Sources/Semantics"]
        self.assertEqual(self.check(Keys=KEYS), refused)
        self.assertEqual(self.check(Keys=KEYS, Made='enum EventName {\n    static let made = ""\n}\n'), refused)

    def test_a_check_that_finds_no_link_fails(self):
        refused = ["Sources/Semantics:1: no comment links to a declaration, so nothing was checked"]
        self.assertEqual(self.check(Keys="enum AttributeKey {}\n"), refused)
