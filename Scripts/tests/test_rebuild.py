import importlib.machinery
import importlib.util
import unittest

from law.packages import Target
from tests import SCRIPTS


def _script():
    loader = importlib.machinery.SourceFileLoader("rebuild_test", str(SCRIPTS / "rebuild-test"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("rebuild_test", loader))
    loader.exec_module(module)
    return module


rebuild = _script()

LOG = """[0/1] Planning build
Building for debugging...
[1/9] Compiling tls_record.cc
[2/9] Compiling ShopAPI Checkout.swift
[3/9] Compiling ShopAPI Address.swift
[4/9] Emitting module ShopAPI
[5/9] Wrapping AST for ShopAPI for debugging
[6/9] Compiling ShopServer Orders.swift
[7/9] Linking astrolabe
Build complete! (2.1 s)
"""


def target(name, uses, products=()):
    return Target(name, "regular", "p", "Package.swift", name, set(uses), set(products), [])


class RebuildTests(unittest.TestCase):
    def test_a_log_says_which_files_of_which_modules_were_compiled(self):
        compiled = rebuild.read(LOG)
        self.assertEqual(
            compiled.swift, {"ShopAPI": {"Checkout.swift", "Address.swift"}, "ShopServer": {"Orders.swift"}}
        )
        self.assertEqual(compiled.others, ["tls_record.cc"])
        self.assertIn("3 files of 2 modules, 1 files of C", compiled.text())

    def test_a_module_is_followed_to_all_that_depends_on_it_through_targets_and_products(self):
        targets = {
            "A": target("A", []),
            "B": target("B", ["A"]),
            "C": target("C", [], [("p", "Bs")]),
            "D": target("D", [], [("others", "Crypto")]),
        }
        found = rebuild.dependents(targets, {("p", "Bs"): {"B"}}.get, "A")
        self.assertEqual(found, {"A", "B", "C"})

    def test_every_house_names_a_file_of_its_module_that_exists(self):
        for house in rebuild.HOUSES.values():
            self.assertTrue((rebuild.ROOT / house.file).is_file(), house.file)


if __name__ == "__main__":
    unittest.main()
