import pathlib
import re
import shutil
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# The names that SwiftPM passes to the compiler for a package in such a folder: `swift build --verbose` prints them.
NAMES = {"Astrolabe": "astrolabe", "main": "main", "2fast": "_fast", "2fast-sdk.v1": "_fast_sdk_v1", "a 2": "a_2"}


class PackageNameTests(unittest.TestCase):
    def test_each_nested_manifest_derives_the_name_alike(self):
        found = [re.search(r"let packageName = .*?joined\(\)", text, re.DOTALL) for text in self.nested()]
        self.assertEqual(len({match[0] for match in found if match}), 1)
        self.assertGreater(len(found), 5)

    @unittest.skipUnless(shutil.which("swift"), "needs swift")
    def test_the_name_is_the_one_that_swiftpm_gives_the_root_package(self):
        name = re.search(r"let packageName = .*?joined\(\)", self.nested()[0], re.DOTALL)[0]
        folders = ", ".join(f'"{folder}"' for folder in NAMES)
        program = f"for checkout in [{folders}] {{\n{name}\nprint(packageName)\n}}"
        run = subprocess.run(["swift", "-"], input=program, capture_output=True, text=True, check=True)
        self.assertEqual(run.stdout.split("\n")[:-1], list(NAMES.values()))

    def nested(self):
        paths = [path for path in ROOT.glob("[!.]*/**/Package.swift") if ".build" not in path.parts]
        texts = [path.read_text(encoding="utf-8") for path in paths]
        return [text for text in texts if "packageAccess" in text]
