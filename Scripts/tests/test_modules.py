import copy
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

from law import modules, packages
from law.module_table import ModuleTable, cycles
from tests.tree import Tree

TABLE = """
# The layers.
native CAstrolabeZlib: zlib
leaf AstrolabeModel: records
leaf AstrolabeClock: clocks
core AstrolabeWire: the codec
feature AstrolabeSessions: sessions
feature AstrolabeDelivery: delivery
facade Astrolabe: the SDK
app App: the app
tool Server: the server
program Command: the command
sdk-library Atomics
platform Foundation Testing SwiftUI
platform-new Synchronization
product Metrics: Metrics CoreMetrics
unused Server: BuiltFirst
"""

STRICT = [
    {"kind": {"swiftLanguageMode": {"_0": "6"}}},
    {"kind": {"treatAllWarnings": {"_0": "error"}}},
] + [
    {"kind": {"enableUpcomingFeature": {"_0": name}}}
    for name in ("ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault")
]


def target(name, *dependencies, products=(), kind="regular", path=None):
    own = [{"byName": [dependency, None]} for dependency in dependencies]
    others = [{"product": [product, package, None, None]} for package, product in products]
    found = {"name": name, "type": kind, "dependencies": own + others, "settings": copy.deepcopy(STRICT)}
    return {**found, "path": path} if path else found


def product(name, *targets):
    return {"name": name, "targets": list(targets)}


INTERNALS = ("astrolabe", "_AstrolabeInternals")
HUMMINGBIRD = ("hummingbird", "Hummingbird")
METRICS = ("swift-metrics", "Metrics")
MANIFESTS = {
    ".": {
        "name": "astrolabe",
        "products": [
            product("Astrolabe", "Astrolabe"),
            product("_AstrolabeInternals", "AstrolabeModel", "AstrolabeWire", "AstrolabeDelivery", "Astrolabe"),
        ],
        "targets": [
            target("AstrolabeModel", path="Sources/Model"),
            target("AstrolabeClock", products=[("swift-atomics", "Atomics")], path="Sources/Clock"),
            target("CAstrolabeZlib", kind="system"),
            target("AstrolabeWire", "AstrolabeModel", path="Sources/Wire"),
            target("AstrolabeSessions", "AstrolabeModel", "AstrolabeClock", path="Sources/Sessions"),
            target("AstrolabeDelivery", "AstrolabeWire", "CAstrolabeZlib", path="Sources/Delivery"),
            target("Astrolabe", "AstrolabeSessions", "AstrolabeDelivery"),
            target("AstrolabeWireTests", "AstrolabeWire", kind="test", path="Tests/WireTests"),
        ],
    },
    "Tools/Server": {
        "name": "server",
        "products": [product("Server", "Server"), product("command", "Command")],
        "targets": [
            target("Server", products=[HUMMINGBIRD, METRICS, INTERNALS, ("other", "BuiltFirst")]),
            target("Command", "Server", kind="executable"),
        ],
    },
    "Examples/Shop": {
        "name": "shop",
        "products": [],
        "targets": [
            target("App", products=[("astrolabe", "Astrolabe")]),
            # A test that starts a program declares it and imports nothing of it.
            target("AppTests", "App", products=[("server", "command")], kind="test"),
        ],
    },
}

SOURCES = {
    "Package.swift": 'library("AstrolabeModel")\nlibrary("AstrolabeClock")\nlibrary("AstrolabeWire")\n',
    "Tools/Server/Package.swift": 'library("Server")\n',
    "Examples/Shop/Package.swift": 'library("App")\n',
    "Sources/Model/Span.swift": "public import Foundation\n",
    "Sources/Clock/Clock+Live.swift": "import Atomics\n",
    "Sources/Wire/Encoder.swift": "/// import AstrolabeDelivery\npublic import AstrolabeModel\n",
    "Sources/Sessions/Session.swift": "import AstrolabeClock\nimport AstrolabeModel\n",
    "Sources/Delivery/Uploader.swift": (
        'import AstrolabeWire\nimport CAstrolabeZlib\nlet text = """\nimport AstrolabeSessions\n"""\n'
    ),
    "Sources/Astrolabe/Start.swift": "import AstrolabeDelivery\nimport AstrolabeSessions\n",
    "Tests/WireTests/EncoderTests.swift": "import Testing\n@testable import AstrolabeWire\n",
    "Tools/Server/Sources/Server/Main.swift": (
        "import AstrolabeWire\nimport CAstrolabeZlib\nimport CoreMetrics\nimport Hummingbird\nimport Synchronization\n"
    ),
    "Tools/Server/Sources/Command/Main.swift": "import Server\n",
    "Examples/Shop/Sources/App/Main.swift": "import Astrolabe\n",
    "Examples/Shop/Tests/AppTests/AppTests.swift": "import App\n",
}


class ModulesTests(unittest.TestCase):
    def check(self, sources=None, changed=(), table=TABLE, platform="linux"):
        """Checks the lawful repository with other sources and with other targets in place of those of their names."""
        manifests = copy.deepcopy(MANIFESTS)
        for folder, new in changed:
            targets = manifests[folder]["targets"]
            targets[:] = [old for old in targets if old["name"] != new["name"]] + [new]
        with Tree({**SOURCES, **(sources or {})}) as tree:
            found = modules.check(tree.root, packages.read(manifests), ModuleTable(table), platform)
            return [str(violation) for violation in found]

    def refused(self, violations, *expected):
        self.assertEqual(sorted(violations), sorted(expected))

    def test_a_correct_repository_passes(self):
        self.refused(self.check())

    def test_a_feature_imports_no_feature(self):
        imports = "import AstrolabeClock\nimport AstrolabeModel\nimport AstrolabeDelivery\n"
        source = {"Sources/Sessions/Session.swift": imports}
        path = "Sources/Sessions"
        feature = target("AstrolabeSessions", "AstrolabeModel", "AstrolabeClock", "AstrolabeDelivery", path=path)
        self.refused(
            self.check(source),
            "Sources/Sessions/Session.swift:3: AstrolabeSessions imports AstrolabeDelivery and does not declare it in "
            "Package.swift",
        )
        self.refused(
            self.check(source, [(".", feature)]),
            "Package.swift:1: AstrolabeSessions is a feature and may not import the feature AstrolabeDelivery; "
            "let the facade connect them",
        )

    def test_a_leaf_imports_nothing_of_ours(self):
        source = {"Sources/Model/Span.swift": "@preconcurrency import struct AstrolabeClock.Instant\n"}
        self.refused(
            self.check(source, [(".", target("AstrolabeModel", "AstrolabeClock", path="Sources/Model"))]),
            "Package.swift:1: AstrolabeModel is a leaf and may import nothing of ours, not AstrolabeClock",
        )

    def test_the_core_does_not_import_a_feature(self):
        source = {"Sources/Wire/Encoder.swift": "import AstrolabeModel\nimport AstrolabeSessions\n"}
        wire = target("AstrolabeWire", "AstrolabeModel", "AstrolabeSessions", path="Sources/Wire")
        self.refused(
            self.check(source, [(".", wire)]),
            "Package.swift:3: AstrolabeWire is in the layer core and may not import AstrolabeSessions, which is in the "
            "layer feature",
        )

    def test_the_sdk_depends_on_no_library(self):
        source = {"Sources/Wire/Encoder.swift": "import Hummingbird\nimport AstrolabeModel\n"}
        wire = target("AstrolabeWire", "AstrolabeModel", products=[HUMMINGBIRD], path="Sources/Wire")
        self.refused(
            self.check(source, [(".", wire)]),
            "Package.swift:3: AstrolabeWire is in the SDK, which may not depend on Hummingbird",
        )

    def test_an_arrow_that_no_source_uses_is_found(self):
        wire = target("AstrolabeWire", "AstrolabeModel", "AstrolabeClock", path="Sources/Wire")
        server = target("Server", products=[HUMMINGBIRD, METRICS, INTERNALS, ("astrolabe", "Astrolabe")])
        self.refused(
            self.check(changed=[(".", wire), ("Tools/Server", server)]),
            "Package.swift:3: AstrolabeWire declares AstrolabeClock and imports it nowhere",
            "Tools/Server/Package.swift:1: Server declares Astrolabe and imports nothing of it",
        )

    def test_a_public_product_makes_the_internals_unnecessary(self):
        server = target("Server", products=[HUMMINGBIRD, METRICS, INTERNALS, ("astrolabe", "Astrolabe")])
        source = {"Tools/Server/Sources/Server/Main.swift": "import Astrolabe\nimport Hummingbird\nimport Metrics\n"}
        self.refused(
            self.check(source, [("Tools/Server", server)]),
            "Tools/Server/Package.swift:1: Server declares _AstrolabeInternals and imports nothing of it",
        )

    def test_the_app_imports_public_products_only(self):
        app = target("App", products=[("astrolabe", "Astrolabe"), INTERNALS])
        source = {"Examples/Shop/Sources/App/Main.swift": "import Astrolabe\nimport AstrolabeModel\n"}
        undeclared = "imports AstrolabeModel and does not declare it in Examples/Shop/Package.swift"
        self.refused(self.check(source), f"Examples/Shop/Sources/App/Main.swift:2: App {undeclared}")
        self.refused(
            self.check(source, [("Examples/Shop", app)]),
            "Examples/Shop/Package.swift:1: App is an app and imports public products only, not _AstrolabeInternals",
        )

    def test_a_tool_imports_only_what_it_declares(self):
        self.refused(
            self.check({"Tools/Server/Sources/Server/Routes.swift": "import NIOCore\nimport AstrolabeSessions\n"}),
            "Tools/Server/Sources/Server/Routes.swift:1: Server imports NIOCore and does not declare it in "
            "Tools/Server/Package.swift",
            "Tools/Server/Sources/Server/Routes.swift:2: Server imports AstrolabeSessions and does not declare it in "
            "Tools/Server/Package.swift",
        )

    def test_a_test_imports_only_what_it_declares(self):
        self.refused(
            self.check({"Tests/WireTests/SpanTests.swift": "import AstrolabeModel\n"}),
            "Tests/WireTests/SpanTests.swift:1: AstrolabeWireTests imports AstrolabeModel and does not declare it in "
            "Package.swift",
        )

    def test_what_runs_on_a_phone_imports_nothing_newer_than_its_system(self):
        self.refused(
            self.check({"Examples/Shop/Sources/App/Cart.swift": "import Synchronization\n"}),
            "Examples/Shop/Sources/App/Cart.swift:1: Synchronization is newer than iOS 16, on which App runs",
        )

    def test_a_cycle_in_the_imports_is_found(self):
        violations = self.check({"Sources/Model/Span.swift": "import AstrolabeWire\n"})
        message = "modules import one another in a cycle: AstrolabeModel -> AstrolabeWire -> AstrolabeModel"
        self.assertIn(f"Package.swift:1: {message}", violations)

    def test_no_type_is_named_as_its_module(self):
        source = "import AstrolabeModel\n\nextension Span {\n    enum AstrolabeWire {}\n}\n"
        self.refused(
            self.check({"Sources/Wire/Wire.swift": source}),
            "Sources/Wire/Wire.swift:4: a type named AstrolabeWire hides the module AstrolabeWire; "
            "give it another name",
        )

    def test_two_imports_on_a_line_are_both_seen(self):
        violations = self.check({"Examples/Shop/Sources/App/Main.swift": "import Server; import AstrolabeWire\n"})
        self.assertEqual(len(violations), 3)

    def test_a_target_needs_a_prefix_a_row_and_strict_settings(self):
        loose = {"name": "Loose", "type": "regular", "dependencies": [], "settings": STRICT[2:]}
        self.refused(
            self.check(changed=[(".", loose)]),
            "Package.swift:1: Loose has no row in Scripts/modules.txt",
            "Package.swift:1: Loose needs the prefix Astrolabe, so that it collides with no app's module",
            "Package.swift:1: Loose is not compiled in the Swift 6 language mode",
            "Package.swift:1: Loose does not treat warnings as errors",
        )

    def test_two_packages_do_not_declare_one_name(self):
        self.refused(
            self.check(changed=[("Examples/Shop", target("Server"))]),
            "Examples/Shop/Package.swift:1: another package declares a target Server, too",
        )

    def test_a_row_without_a_target_is_stale(self):
        stale = TABLE + "leaf Gone: nothing\n"
        self.refused(self.check(table=stale), "Scripts/modules.txt:18: no manifest declares a target Gone")
        self.refused(self.check(table=stale, platform="darwin"))

    def test_a_link_to_a_folder_counts_as_the_folder(self):
        manifests = {
            "Tools": {"name": "tools", "products": [], "targets": [target("Link", path="Link")]},
        }
        with Tree({"Tools/Package.swift": "", "Sources/Real/A.swift": "import Gone\n"}) as tree:
            (tree.root / "Tools/Link").symlink_to("../Sources/Real")
            found = modules.check(tree.root, packages.read(manifests), ModuleTable("tool Link: a link\n"))
        self.refused(
            map(str, found), "Sources/Real/A.swift:1: Link imports Gone and does not declare it in Tools/Package.swift"
        )

    def test_a_line_that_is_no_row_is_refused(self):
        expected = "expected '<layer> <module>: <what it is>' with a new module, found"
        self.assertEqual(
            [str(found) for found in ModuleTable("leaf A: a\nwing B: b\ncore A: c\nleaf D:\n").violations],
            [
                f"Scripts/modules.txt:2: {expected} 'wing B: b'",
                f"Scripts/modules.txt:3: {expected} 'core A: c'",
                f"Scripts/modules.txt:4: {expected} 'leaf D:'",
            ],
        )

    def test_checks_side_by_side_read_the_manifests_one_after_another(self):
        inside, most = [], []

        def load(number):
            with packages._one_at_a_time(tree.root / packages.CACHE):
                inside.append(number)
                time.sleep(0.001)
                most.append(len(inside))
                inside.remove(number)

        with Tree({}) as tree, ThreadPoolExecutor(8) as pool:
            list(pool.map(load, range(8)))
        self.assertEqual(most, [1] * 8)

    def test_each_cycle_of_a_graph_is_found_once(self):
        self.assertEqual(cycles({"A": {"B"}, "B": {"C", "D"}, "C": {"A"}, "D": set()}), [("A", "B", "C", "A")])


if __name__ == "__main__":
    unittest.main()
