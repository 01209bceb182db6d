import unittest

from law import pages, reference, table_defaults
from tests import SCRIPTS
from tests.tree import Tree

LIMITS = """struct Limits {
    var body = 8 << 20
    var time: Duration = .seconds(90)
    var name = Device.iPhone15Pro
    static var calls: Int { 32 }
}
"""
PLACES = """# A comment.
Docs/Guide/Page.md
    body and time: Limits.swift var body; Limits.swift var time
    calls: Limits.swift var calls
    *: Limits.swift var *
"""
PAGE = """# Page

| limit | default |
|---|---|
| [body](#page) and time | 8 MiB (413), in 1.5 min |
| calls | 32 |
| `name` | that of the machine, or `iphone-15-pro` |
| nothing | none |
"""
VARIABLES = """| variable | meaning | default |
|---|---|---|
| `OTEL_EXPORTER_OTLP_TIMEOUT` | milliseconds until a request times out | %s |
| `OTEL_SDK_DISABLED` | `true` makes every call a no-op | `%s` |
"""
SETTINGS = """public struct %s {
    /// Seconds until a request times out (`OTEL_EXPORTER_OTLP_TIMEOUT`).
    public var timeout: Duration = .seconds(10)
    /// Whether it records (`OTEL_SDK_DISABLED`).
    public var isEnabled = true
}
"""


class TableDefaultTests(unittest.TestCase):
    def messages(self, page=PAGE, places=PLACES, limits=LIMITS, others={}):
        files = {"Docs/Guide/Page.md": page, "Scripts/table-defaults.txt": places, "Sources/Limits.swift": limits}
        with Tree({**files, **others}) as tree:
            return [str(each) for each in table_defaults.check(tree.root, pages.load(tree.root))]

    def test_defaults_that_are_those_of_the_sources_pass(self):
        self.assertEqual(self.messages(), [])

    def test_another_number_another_unit_or_another_name_fails_in_the_page_and_in_the_source(self):
        for old, new in (
            ("8 MiB", "9 MiB"), ("8 MiB", "8 KiB"), ("1.5 min", "90 min"), ("| 32", "| 33"), ("15-pro", "16"),
        ):
            self.assertEqual(len(self.messages(page=PAGE.replace(old, new))), 1, new)
        for old, new in (("8 <<", "4 <<"), ("(90)", "(9)"), ("iPhone15Pro", "iPhone16"), ("{ 32", "{ 64")):
            self.assertEqual(len(self.messages(limits=LIMITS.replace(old, new))), 1, new)
        found = self.messages(page=PAGE.replace("8 MiB", "9 MiB"))[0]
        self.assertIn("Docs/Guide/Page.md:5: says that the default of body and time is 9 MiB", found)

    def test_a_row_without_a_source_and_a_source_without_the_value_fail(self):
        found = self.messages(places=PLACES.partition("    calls")[0])
        self.assertEqual(len(found), 2)
        self.assertIn("a default of calls without a source: add it to Scripts/table-defaults.txt", found[0])
        found = self.messages(page=PAGE.replace("| calls | 32 |\n", ""))
        self.assertEqual(found, ["Scripts/table-defaults.txt:1: Docs/Guide/Page.md has no default of calls"])
        self.assertIn("no value follows var gone", self.messages(places=PLACES.replace("var calls", "var gone"))[0])
        self.assertIn("no file Gone.swift", self.messages(places=PLACES.replace("calls: Limits", "calls: Gone"))[0])

    def test_a_place_that_cannot_be_read_and_a_file_of_which_there_are_two_fail(self):
        for calls in ("Limits.swift", "Limits var calls"):
            found = self.messages(places=PLACES.replace("Limits.swift var calls", calls))
            self.assertEqual(found, [
                f"Docs/Guide/Page.md:6: calls: no file and text in '{calls}'; see Scripts/table-defaults.txt"])
        self.assertIn("Scripts/table-defaults.txt:1:  has no default of calls", self.messages(places="    calls: x\n"))
        found = self.messages(others={"Tests/Limits.swift": LIMITS})
        self.assertEqual(len(found), 3)
        self.assertIn("Docs/Guide/Page.md:5: body and time: two files Limits.swift; see", found[0])

    def test_a_variable_with_another_default_than_its_setting_fails(self):
        def messages(*defaults):
            files = {path: f"public struct {title} {{\n}}\n" for title, _, path in reference.SETTINGS}
            files[reference.SETTINGS[0][2]] = SETTINGS % reference.SETTINGS[0][0]
            page = {table_defaults.CONFIGURATION: "# Configuration\n\n" + VARIABLES % defaults}
            with Tree({**files, **page}) as tree:
                return [str(each) for each in table_defaults.check(tree.root, pages.load(tree.root))]

        self.assertEqual(messages("10000", "false"), [])
        self.assertIn("OTEL_EXPORTER_OTLP_TIMEOUT is 1000, and the setting timeout 10 s", messages("1000", "false")[0])
        self.assertIn("OTEL_SDK_DISABLED is `true`, and the setting isEnabled `true`", messages("10000", "true")[0])

    def test_the_repository_has_tables_of_defaults(self):
        found = pages.load(SCRIPTS.parent)
        self.assertGreater(sum(len(list(table_defaults.rows(page))) for page in found.values()), 100)
