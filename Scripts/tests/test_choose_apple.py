import json
import plistlib
import subprocess
import sys
import unittest

from tests import SCRIPTS
from tests.tree import Tree

KINDS = "com.apple.CoreSimulator.SimDeviceType."
RUNTIMES = "com.apple.CoreSimulator.SimRuntime."


def run(*arguments, stdin=""):
    command = [sys.executable, "-B", SCRIPTS / "choose-apple", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)


class XcodeTests(unittest.TestCase):
    def choose(self, **versions):
        """Chooses among applications, each with the version that its own file tells."""
        files = {"Safari.app/Contents/version.plist": ""}
        for name, version in versions.items():
            plist = plistlib.dumps({"CFBundleShortVersionString": version}).decode("utf-8")
            files[f"{name}.app/Contents/version.plist"] = plist
        with Tree(files) as tree:
            result = run("xcode", "--applications", str(tree.root))
            return result.stdout.replace(str(tree.root), "").strip(), result.stderr

    def test_the_newest_is_chosen_by_number(self):
        chosen = self.choose(Xcode="16.4", Xcode_26_9="26.9", Xcode_26_10="26.10", Xcode_27_beta="27.0")
        self.assertEqual(chosen, ("/Xcode_26_10.app/Contents/Developer", ""))
        self.assertEqual(self.choose(Xcode="27.0")[0], "/Xcode.app/Contents/Developer")

    def test_an_older_one_is_refused_and_named(self):
        chosen, message = self.choose(Xcode="16.4")
        self.assertEqual(chosen, "")
        self.assertRegex(message, r"expected Xcode 26 or later in .*, found: .*/Xcode\.app/Contents/Developer\n$")
        self.assertRegex(self.choose()[1], "found: none\n$")


class SimulatorTests(unittest.TestCase):
    def choose(self, **runtimes):
        devices = {
            RUNTIMES + name.replace("_", "-"): [
                {"udid": f"{name} {kind}", "name": "any", "deviceTypeIdentifier": KINDS + kind} for kind in kinds
            ]
            for name, kinds in runtimes.items()
        }
        result = run("simulator", stdin=json.dumps({"devices": devices}))
        return result.stdout.strip(), result.stderr

    def test_an_iphone_with_the_newest_ios_is_chosen(self):
        chosen = self.choose(
            iOS_26_9=["iPhone-17"], iOS_26_10=["iPad-A16", "iPhone-18e", "iPhone-18"], iOS_27_0=["iPad-A16"],
            tvOS_27_0=["Apple-TV-4K"], watchOS_27_0=["Apple-Watch-SE-3"],
        )
        self.assertEqual(chosen, ("iOS_26_10 iPhone-18e", ""))

    def test_without_an_iphone_it_says_what_there_is(self):
        chosen, message = self.choose(iOS_27_0=["iPad-A16"], tvOS_27_0=["Apple-TV-4K"])
        self.assertEqual(chosen, "")
        self.assertIn(f"expected an iPhone among the simulators, found: {RUNTIMES}iOS-27-0, {RUNTIMES}tvOS", message)
        self.assertIn("found: none", self.choose()[1])


if __name__ == "__main__":
    unittest.main()
