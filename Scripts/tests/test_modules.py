import copy
import unittest

from law import modules
from law.module_table import ModuleTable, cycles
from tests.tree import Tree

TABLE = """
leaf     Model:
leaf     Clock:     Atomics
core     Wire:      Model
feature  Sessions:  Model Clock
feature  Delivery:  Wire Model CZlib
facade   Facade:    Sessions Delivery Wire Model
app      App:       Facade
service  Server:    Wire
system-library CZlib
sdk-library    CZlib Atomics
platform       Foundation Testing
platform-new   Synchronization
product Metrics: Metrics CoreMetrics
"""

STRICT = [
    {"kind": {"swiftLanguageMode": {"_0": "6"}}},
    {"kind": {"treatAllWarnings": {"_0": "error"}}},
] + [
    {"kind": {"enableUpcomingFeature": {"_0": name}}}
    for name in ("ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault")
]


def target(name, *dependencies, products=(), kind="regular"):
    own = [{"byName": [dependency, None]} for dependency in dependencies]
    others = [{"product": [product, "package", None, None]} for product in products]
    return {"name": name, "type": kind, "dependencies": own + others, "settings": copy.deepcopy(STRICT)}


MANIFEST = {
    "targets": [
        target("Model"),
        target("Clock", products=["Atomics"]),
        {"name": "CZlib", "type": "system", "dependencies": [], "settings": []},
        target("Wire", "Model"),
        target("Sessions", "Model", "Clock"),
        target("Delivery", "Wire", "Model", "CZlib"),
        target("Facade", "Sessions", "Delivery", "Wire", "Model"),
        target("App", "Facade"),
        target("Server", "Wire", products=["Hummingbird", "Metrics"], kind="executable"),
        target("WireTests", "Wire", kind="test"),
    ]
}

SOURCES = {
    "Package.swift": 'library("Model")\nlibrary("Clock")\nlibrary("Wire")\n',
    "Sources/Model/Span.swift": "public import Foundation\n",
    "Sources/Clock/Clock+Live.swift": "import Atomics\n",
    "Sources/Wire/Encoder.swift": "/// import Delivery\npublic import Model\n",
    "Sources/Sessions/Session.swift": "import Clock\nimport Model\n",
    "Sources/Delivery/Uploader.swift": 'import CZlib\nimport Wire\nlet text = """\nimport Sessions\n"""\n',
    "Sources/Facade/Start.swift": "import Delivery\nimport Sessions\n",
    "Sources/App/Main.swift": "import Facade\n",
    "Sources/Server/Main.swift": "import CoreMetrics\nimport Hummingbird\nimport Synchronization\nimport Wire\n",
    "Tests/WireTests/EncoderTests.swift": "import Testing\n@testable import Wire\n",
}


class ModulesTests(unittest.TestCase):
    def check(self, sources=None, manifest=MANIFEST, table=TABLE):
        with Tree({**SOURCES, **(sources or {})}) as tree:
            return [str(found) for found in modules.check(tree.root, manifest, ModuleTable(table))]

    def refused(self, violations, *expected):
        self.assertEqual(sorted(violations), sorted(expected))

    def test_a_lawful_tree_is_let_through(self):
        self.refused(self.check())

    def test_a_feature_imports_no_feature(self):
        self.refused(
            self.check({"Sources/Sessions/Session.swift": "import Model\n\npublic import Delivery\n"}),
            "Sources/Sessions/Session.swift:3: Sessions is a feature and may not import the feature Delivery; "
            "let the facade wire them",
            "Sources/Sessions/Session.swift:3: Sessions imports Delivery and does not declare it in Package.swift",
        )

    def test_a_leaf_imports_nothing_of_ours(self):
        self.refused(
            self.check({"Sources/Clock/Clock+Live.swift": "@preconcurrency import struct Model.Span\n"}),
            "Sources/Clock/Clock+Live.swift:1: Clock is a leaf and may import nothing of ours, not Model",
            "Sources/Clock/Clock+Live.swift:1: Clock imports Model and does not declare it in Package.swift",
        )

    def test_an_arrow_against_the_table_is_caught_though_the_manifest_declares_it(self):
        manifest = copy.deepcopy(MANIFEST)
        manifest["targets"][8] = target("Server", "Wire", "Facade", products=["Hummingbird", "Metrics"])
        self.refused(
            self.check({"Sources/Server/Routes.swift": "import Facade\n"}, manifest),
            "Package.swift:1: Server declares Facade, which Scripts/modules.txt does not allow it to import",
            "Sources/Server/Routes.swift:1: Server may not import Facade by Scripts/modules.txt",
        )

    def test_the_sdk_depends_on_no_library(self):
        manifest = copy.deepcopy(MANIFEST)
        manifest["targets"][3] = target("Wire", "Model", products=["Hummingbird"])
        self.refused(
            self.check({"Sources/Wire/Encoder.swift": "import Hummingbird\nimport Model\n"}, manifest),
            "Package.swift:3: Wire declares Hummingbird, which Scripts/modules.txt does not allow it to import",
            "Sources/Wire/Encoder.swift:1: Wire is of the SDK, which may not depend on Hummingbird",
        )

    def test_a_service_imports_only_libraries_it_declares(self):
        self.refused(
            self.check({"Sources/Server/Main.swift": "import NIOCore\n"}),
            "Sources/Server/Main.swift:1: Server imports NIOCore and does not declare it in Package.swift",
        )

    def test_a_test_imports_only_what_it_declares(self):
        self.refused(
            self.check({"Tests/WireTests/EncoderTests.swift": "import Model\n"}),
            "Tests/WireTests/EncoderTests.swift:1: WireTests imports Model and does not declare it in Package.swift",
        )

    def test_what_runs_on_a_phone_imports_nothing_newer_than_its_system(self):
        self.refused(
            self.check({"Sources/App/Main.swift": "import Synchronization\n"}),
            "Sources/App/Main.swift:1: Synchronization is newer than iOS 16, on which App runs",
        )

    def test_a_cycle_in_the_imports_is_caught(self):
        violations = self.check({"Sources/Model/Span.swift": "import Wire\n"})
        self.assertIn("Package.swift:1: modules import one another in a cycle: Model -> Wire -> Model", violations)

    def test_no_type_is_named_as_its_module(self):
        self.refused(
            self.check({"Sources/Wire/Wire.swift": "import Model\n\nextension Span {\n    enum Wire {}\n}\n"}),
            "Sources/Wire/Wire.swift:4: a type named Wire hides the module Wire; give it another name",
        )

    def test_two_imports_on_a_line_are_both_seen(self):
        violations = self.check({"Sources/App/Main.swift": "import Facade; import Wire\n"})
        self.assertEqual(len(violations), 2)

    def test_a_target_needs_a_row_and_strict_settings(self):
        manifest = copy.deepcopy(MANIFEST)
        manifest["targets"].append({"name": "Loose", "type": "regular", "dependencies": [], "settings": STRICT[2:]})
        self.refused(
            self.check(manifest=manifest),
            "Package.swift:1: Loose has no row in Scripts/modules.txt",
            "Package.swift:1: Loose is not compiled in the Swift 6 language mode",
            "Package.swift:1: Loose does not treat warnings as errors",
        )

    def test_a_table_that_breaks_its_own_law_is_refused(self):
        self.assertEqual(
            [str(found) for found in ModuleTable("leaf A: B\nfeature B: C\nfeature C: D\nwing E:\n").violations],
            [
                "Scripts/modules.txt:4: expected '<layer> <module>: <imports>' with a new module, found 'wing E:'",
                "Scripts/modules.txt:1: A is a leaf and may import nothing of ours, not B",
                "Scripts/modules.txt:2: B is a feature and may not import the feature C",
                "Scripts/modules.txt:3: C is of the SDK, which may not depend on D",
            ],
        )

    def test_each_cycle_of_a_graph_is_found_once(self):
        self.assertEqual(cycles({"A": {"B"}, "B": {"C", "D"}, "C": {"A"}, "D": set()}), [("A", "B", "C", "A")])


if __name__ == "__main__":
    unittest.main()
