import copy
import unittest

from law import architecture, packages
from law.module_table import ModuleTable
from tests.test_modules import MANIFESTS, TABLE, product, target
from tests.tree import Tree

PAGE = f"# Architecture\n\n{architecture.BEGIN}\n{architecture.END}\n\nMore.\n"
SWIFTUI = TABLE + "facade AstrolabeSwiftUI: views\n"


class ArchitectureTests(unittest.TestCase):
    def render(self, manifests=MANIFESTS, table=TABLE, links=()):
        with Tree({"Sources/AstrolabeSwiftUI/A.swift": "", "Tools/Server/Sources/A.swift": ""}) as tree:
            for link, folder in links:
                (tree.root / link).symlink_to(folder)
            return architecture.render(tree.root, packages.read(manifests), ModuleTable(table))

    def test_every_module_is_in_the_table(self):
        generated = self.render()
        for name in ModuleTable(TABLE).rows:
            self.assertIn(f"\n| `{name}` | ", generated)
        self.assertIn("| `AstrolabeClock` | astrolabe | leaf | clocks | Atomics |", generated)
        self.assertIn("| server | tool | the server | SDK internals, BuiltFirst, Hummingbird, Metrics |", generated)

    def test_an_arrow_that_follows_from_others_is_not_drawn(self):
        manifests = copy.deepcopy(MANIFESTS)
        facade = ("Astrolabe", "AstrolabeSessions", "AstrolabeDelivery", "AstrolabeModel")
        targets = manifests["."]["targets"]
        targets[:] = [old for old in targets if old["name"] != "Astrolabe"] + [target(*facade)]
        generated = self.render(manifests)
        self.assertIn("\n    Astrolabe --> Sessions\n", generated)
        self.assertIn("\n    Sessions --> Model\n", generated)
        self.assertNotIn("Astrolabe --> Model\n", generated)
        self.assertIn("\n    shop --> astrolabe\n", generated)

    def test_a_module_belongs_to_the_package_that_keeps_its_sources(self):
        manifests = copy.deepcopy(MANIFESTS)
        views = target("AstrolabeSwiftUI", products=[("astrolabe", "Astrolabe")])
        manifests["Tools/Server"]["targets"].append(views)
        link = ("Tools/Server/Sources/AstrolabeSwiftUI", "../../../Sources/AstrolabeSwiftUI")
        generated = self.render(manifests, SWIFTUI, [link])
        self.assertIn("| `AstrolabeSwiftUI` | astrolabe | facade | views | `Astrolabe` |", generated)
        self.assertIn("\n    AstrolabeSwiftUI --> Astrolabe\n", generated)

    def test_a_stale_page_is_refused_until_it_is_written(self):
        page = architecture.write(PAGE, self.render())
        self.assertTrue(page.startswith("# Architecture\n\n<!-- ") and page.endswith(" -->\n\nMore.\n"))
        self.assertEqual(architecture.check(page, self.render()), [])

        manifests = copy.deepcopy(MANIFESTS)
        manifests["Tools/Server"]["products"].append(product("More", "Server"))
        self.assertEqual(architecture.check(page, self.render(manifests)), [])
        new = self.render(table=TABLE.replace("leaf AstrolabeClock: clocks", "leaf AstrolabeClock: all clocks"))
        (violation,) = architecture.check(page, new)
        self.assertIn("| leaf | all clocks | Atomics |'. Run Scripts/architecture --write", violation.message)
        self.assertIn("| clocks |", page.split("\n")[violation.line - 1])
        self.assertEqual(architecture.check(architecture.write(page, new), new), [])

    def test_a_page_without_the_markers_is_refused(self):
        (violation,) = architecture.check("# Architecture\n", self.render())
        self.assertIn("expected the lines '<!-- Generated", violation.message)


if __name__ == "__main__":
    unittest.main()
