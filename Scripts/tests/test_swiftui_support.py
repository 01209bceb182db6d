import unittest

from tests import SCRIPTS, program


class SwiftUISupportTests(unittest.TestCase):
    def test_the_support_table_says_what_the_sources_say(self):
        result = program.run("swiftui-support")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_the_table_has_supported_partial_and_refused_names(self):
        page = (SCRIPTS.parent / "Docs/SwiftUIOnLinux.md").read_text(encoding="utf-8")
        for wanted in ["`NavigationStack`", "| `withAnimation` | partly |", "`matchedGeometryEffect`"]:
            self.assertIn(wanted, page)
