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
    def choose(self, files=None, links=None, **versions):
        """Chooses among applications, each with the version that its own file tells, if any."""
        files = {"Safari.app/Contents/version.plist": "", **(files or {})}
        for name, version in versions.items():
            values = {"CFBundleShortVersionString": version} if version else {}
            files[f"{name}.app/Contents/version.plist"] = plistlib.dumps(values).decode("utf-8")
        with Tree(files) as tree:
            for name, target in (links or {}).items():
                (tree.root / f"{name}.app").symlink_to(f"{target}.app")
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

    def test_a_beta_and_a_release_candidate_are_not_chosen(self):
        others = {"Xcode_27_Release_Candidate": "27.0", "Xcode_26_5_RC": "26.5", "Xcode_26_4_beta": "26.4"}
        chosen = self.choose(Xcode_26_1="26.1", links={"Xcode_26_4": "Xcode_26_4_beta"}, **others)
        self.assertEqual(chosen, ("/Xcode_26_1.app/Contents/Developer", ""))

    def test_an_unreadable_one_is_not_chosen_and_named(self):
        self.assertEqual(self.choose(Xcode_26="26.0", Xcode=None)[0], "/Xcode_26.app/Contents/Developer")
        damaged = {"Xcode.app/Contents/version.plist": "damaged"}
        self.assertEqual(self.choose(Xcode_26="26.0", files=damaged)[0], "/Xcode_26.app/Contents/Developer")
        self.assertRegex(self.choose(files=damaged)[1], r"found: .*/Xcode\.app/Contents/version\.plist, unreadable\n$")
        self.assertRegex(self.choose(Xcode=None)[1], r"found: .*/Xcode\.app/Contents/version\.plist, unreadable\n$")


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

    def test_a_device_of_no_type_is_not_chosen(self):
        devices = {RUNTIMES + "iOS-27-0": [{"udid": "a"}, {"udid": "b", "deviceTypeIdentifier": KINDS + "iPhone-18"}]}
        self.assertEqual(run("simulator", stdin=json.dumps({"devices": devices})).stdout, "b\n")


if __name__ == "__main__":
    unittest.main()
