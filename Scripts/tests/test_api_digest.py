import json
import subprocess
import sys
import unittest

from tests import SCRIPTS
from tests.tree import Tree

PRODUCTS = (
    "Astrolabe",
    "AstrolabeAutomatic",
    "AstrolabeDeclarative",
    "AstrolabeExtras",
    "AstrolabeHTTP",
    "AstrolabeLinux",
    "AstrolabeOTLP",
    "AstrolabeRemotePolicy",
    "AstrolabeSessionReplay",
    "AstrolabeSwiftUI",
    "AstrolabeTesting",
)
SYMBOL = {
    "pathComponents": ["Moon"],
    "kind": {"identifier": "swift.struct"},
    "declarationFragments": [{"spelling": "struct Moon"}],
    "location": {},
}
# Stands in for Swift: a module has the symbols of its file, and none without one.
SWIFT = """#!/bin/sh
[ "$1" != -print-target-info ] || { echo '{"target": {"triple": "x"}}' && exit; }
while [ $# -gt 0 ]; do
    case $1 in
    -module-name) module=$2 ;;
    -output-dir) folder=$2 ;;
    esac
    shift
done
echo '{"symbols": []}' >"$folder/$module.symbols.json"
[ ! -f "${0%/*}/$module.json" ] || cp "${0%/*}/$module.json" "$folder/$module.symbols.json"
"""
BUILD = "./astrolabe build"


class APIDigestTests(unittest.TestCase):
    def run_script(self, *arguments, built=PRODUCTS, empty=()):
        files = {f"build/x/debug/Modules/{name}.swiftmodule": "" for name in built}
        for name in PRODUCTS:
            files[f"bin/{name}.json"] = json.dumps({"symbols": [] if name in empty else [SYMBOL]})
        with Tree({"bin/swift": SWIFT, **files}) as tree:
            (tree.root / "bin/swift").chmod(0o755)
            command = [sys.executable, "-B", SCRIPTS / "api-digest", *arguments, "--build", tree.root / "build"]
            environment = {"PATH": f"{tree.root}/bin:/usr/bin:/bin"}
            return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)

    def test_a_digest_without_a_build_fails_and_says_what_to_run(self):
        result = self.run_script("--check", built=())
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertRegex(result.stderr, rf"^api-digest: not built in .*/build: {', '.join(PRODUCTS)}\. Run: {BUILD}\n$")

    def test_one_product_that_is_not_built_fails_the_digest(self):
        for arguments in (["--check"], ["--print", "Astrolabe"]):
            result = self.run_script(*arguments, built=PRODUCTS[1:])
            self.assertEqual(result.returncode, 1)
            self.assertRegex(result.stderr, r"^api-digest: not built in .*: Astrolabe\. Run: ")

    def test_a_product_without_declarations_fails_the_digest(self):
        result = self.run_script("--check", empty=["AstrolabeHTTP"])
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertRegex(result.stderr, r"^api-digest: no public declarations in .*: AstrolabeHTTP\. Run: ")

    def test_a_product_is_printed_as_it_is_built(self):
        result = self.run_script("--print", "Astrolabe")
        self.assertEqual((result.returncode, result.stdout), (0, "Moon: struct Moon\n"), result.stderr)

    def test_the_check_and_the_workflow_build_what_the_digest_asks_for(self):
        door = text("astrolabe")
        check = door[door.index("\ncheck() {"):]
        self.assertLess(check.index("build_public_modules"), check.index("Scripts/api-digest"))
        command = door[door.index("\nbuild)\n"):]
        self.assertIn("build_public_modules", command[:command.index(";;")])
        self.assertIn(f"run: {BUILD}\n", text(".github/workflows/api.yml"))


def text(path):
    return (SCRIPTS.parent / path).read_text(encoding="utf-8")


if __name__ == "__main__":
    unittest.main()
