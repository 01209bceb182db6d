import json
import re
import runpy
import unittest
from unittest import mock

from tests import SCRIPTS
from tests.machine import FAKES, Machine
from tests.tree import Tree


class DocsTests(unittest.TestCase):
    browser = {"ASTROLABE_CHROMIUM": str(FAKES / "id"), "ASTROLABE_CHROMEDRIVER": str(FAKES / "id")}
    fakes = ("swift", "clang++", "id", "uname", "python3")

    def test_with_pictures_it_first_runs_the_tests_that_take_them(self):
        with Machine(fakes=self.fakes) as machine:
            result = machine.run("docs", "--pictures", "--output", "a b", **self.browser)
            self.assertEqual(result.status, 0, result.messages)
            self.assertIn(f"browser {self.browser['ASTROLABE_CHROMIUM']}", result.output)
            folder = machine.repository / ".astrolabe/pictures"
            self.assertTrue(folder.is_dir())
            scripts = machine.repository / "Scripts"
            tests, docs = [call for call in machine.calls if "/Scripts/" in call and "--products" not in call][-2:]
            self.assertRegex(tests, "run-tests .* --filter PictureTests --filter What goes wrong on console$")
            self.assertEqual(docs, f"python3 -B {scripts}/docs --output a b --pictures {folder}")

    def test_pictures_that_cannot_be_taken_end_it(self):
        with Machine(fakes=self.fakes) as machine:
            result = machine.run("docs", "--pictures", FAKE_STATUS="1", **self.browser)
            self.assertEqual(result.status, 1)
            self.assertFalse([call for call in machine.calls if "/Scripts/docs" in call])

    def test_without_pictures_it_runs_no_tests(self):
        with Machine(fakes=self.fakes) as machine:
            machine.run("docs", "--build-only")
            self.assertEqual(machine.calls[-1], f"python3 -B {machine.repository}/Scripts/docs --build-only")
            self.assertNotIn("run-tests", "\n".join(machine.calls))

    def test_the_tests_that_take_pictures_are_those_that_the_command_runs(self):
        takes = re.compile(r"^(?:struct (\w+)|struct `(.+)`) \{$", re.MULTILINE)
        suites = {}
        for file in (SCRIPTS.parent / "Tools/Console/Tests").rglob("*.swift"):
            text = file.read_text(encoding="utf-8")
            if "ASTROLABE_PICTURES" in text:
                suites[file.name] = "".join(takes.search(text).groups(""))
        self.assertGreater(len(suites), 5)
        chosen = re.compile("PictureTests|What goes wrong on")
        self.assertEqual([name for name in suites.values() if not chosen.search(name)], [])

    def test_the_sites_page_shows_all_pictures_the_newer_ones_and_each_in_the_readers_appearance(self):
        files = {"kept/phone-light.png": "old", "kept/trace-dark.png": "trace", "kept/android.png": "android"}
        files.update({"taken/phone-light.png": "light", "taken/phone-dark.png": "dark"})
        with Tree(files) as tree:
            catalog = tree.root / "site/Pictures.docc"
            write_pictures = runpy.run_path(str(SCRIPTS / "docs"))["write_pictures"]
            write_pictures([tree.root / "kept", tree.root / "taken"], catalog)
            shown = {file.name: file.read_text(encoding="utf-8") for file in catalog.glob("*.png")}
            self.assertEqual(
                shown, {"android.png": "android", "phone.png": "light", "phone~dark.png": "dark", "trace.png": "trace"})
            page = (catalog / "Pictures.md").read_text(encoding="utf-8")
            self.assertEqual(
                re.findall(r"^## (.+)\n\n!\[.+\]\((.+)\)$", page, re.MULTILINE),
                [("Android", "android"), ("Phone", "phone"), ("Trace", "trace")])

    def test_the_graph_of_a_product_has_what_it_exports_with_the_members_of_extensions_and_no_more(self):
        def graph(*paths):
            symbols = [{"pathComponents": path.split("/"), "identifier": {"precise": path}} for path in paths]
            members = [{"source": path, "target": path.split("/")[0]} for path in paths if "/" in path]
            return {"symbols": symbols, "relationships": members}

        graphs = {
            "Product": [("", graph("Start")), ("AstrolabeKeys", graph("Key/added", "Hidden/added"))],
            "AstrolabeKeys": [("", graph("Key", "Key/name", "Hidden", "Hidden/name"))],
            "AstrolabeAll": [("", graph("All", "All/name"))],
        }
        sources = {
            "Sources/Product/Exports.swift":
                "@_exported public import enum AstrolabeKeys.Key\n@_exported public import AstrolabeAll\n"}
        symbol_graph = runpy.run_path(str(SCRIPTS / "docs"))["symbol_graph"]
        with Tree(sources) as tree:
            replaced = {"ROOT": tree.root, "extracted": lambda module, *_: graphs[module]}
            with mock.patch.dict(symbol_graph.__globals__, replaced):
                symbol_graph("Product", "Sources/Product/Product.docc", None, None, tree.root / "graphs")
            written = json.loads((tree.root / "graphs/Product.symbols.json").read_text(encoding="utf-8"))
        names = ["/".join(symbol["pathComponents"]) for symbol in written["symbols"]]
        self.assertEqual(names, ["Start", "Key/added", "All", "All/name", "Key", "Key/name"])
        self.assertEqual([each["source"] for each in written["relationships"]], ["Key/added", "All/name", "Key/name"])

    def test_a_check_without_a_build_says_what_to_run(self):
        check = runpy.run_path(str(SCRIPTS / "docs"))["check"]
        with Tree({"a": ""}) as tree, self.assertRaisesRegex(SystemExit, "not built in .*Run: ./astrolabe build"):
            check(tree.root)
