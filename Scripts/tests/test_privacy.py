import plistlib
import unittest

from law import packages, privacy
from law.module_table import ModuleTable
from tests.test_modules import target
from tests.tree import Tree

TABLE = ModuleTable("facade Astrolabe: a\nnative CAstrolabeCrash: b\ntest-support AstrolabeTestSupport: c\n")
MANIFESTS = {
    ".": {
        "name": "astrolabe",
        "products": [],
        "targets": [
            target("Astrolabe"),
            target("CAstrolabeCrash"),
            target("AstrolabeTestSupport"),
            target("AstrolabeTests", kind="test"),
        ],
    },
    "Tools": {"name": "tools", "products": [], "targets": [target("Server")]},
}
PATH = "Sources/Astrolabe/A.swift"


def declaration(tracking=False, collected=("Crash",), **reasons):
    return plistlib.dumps(
        {
            "NSPrivacyTracking": tracking,
            "NSPrivacyCollectedDataTypes": [{"NSPrivacyCollectedDataType": name} for name in collected],
            "NSPrivacyAccessedAPITypes": [
                {
                    "NSPrivacyAccessedAPIType": "NSPrivacyAccessedAPICategory" + category,
                    "NSPrivacyAccessedAPITypeReasons": codes,
                }
                for category, codes in reasons.items()
            ],
        }
    ).decode("utf-8")


class PrivacyTests(unittest.TestCase):
    def check(self, text, path=PATH, declared=None, package=privacy.RESOURCE):
        manifest = declaration() if declared is None else declared
        files = {path: text, privacy.MANIFEST: manifest, "Package.swift": package, "Tools/Package.swift": ""}
        with Tree(files) as tree:
            return [str(found) for found in privacy.check(tree.root, packages.read(MANIFESTS), TABLE)]

    def test_an_api_that_is_used_and_not_declared_is_found(self):
        for call, name, category in (
            ("guard stat(path, &status) == 0 else { return nil }", "stat", "FileTimestamp"),
            ("try FileManager.default.attributesOfItem(atPath: path)", "attributesOfItem", "FileTimestamp"),
            ("let keys: Set = [.contentModificationDateKey]", "contentModificationDateKey", "FileTimestamp"),
            ("ProcessInfo.processInfo.systemUptime", "systemUptime", "SystemBootTime"),
            ("statfs(path, &info)", "statfs", "DiskSpace"),
            ("[.volumeAvailableCapacityForImportantUsageKey]", None, "DiskSpace"),
            ("UITextInputMode.activeInputModes", "activeInputModes", "ActiveKeyboards"),
            ("UserDefaults.standard.set(1)", "UserDefaults", "UserDefaults"),
        ):
            (found,) = self.check(f"let a = 1\n{call}\n")
            category = "NSPrivacyAccessedAPICategory" + category
            self.assertTrue(found.endswith(f" needs a reason: declare {category} in {privacy.MANIFEST}"), found)
            self.assertTrue(found.startswith(f"{PATH}:2: {name or 'volume'}"), found)

    def test_what_is_declared_with_a_reason_of_its_category_passes(self):
        call = "fstat(descriptor, &status)\n"
        self.assertEqual(self.check(call, declared=declaration(FileTimestamp=["C617.1"])), [])
        for codes in (["35F9.1"], ["C617.1", "X"], []):
            (found,) = self.check(call, declared=declaration(FileTimestamp=codes))
            self.assertIn("expected reasons of NSPrivacyAccessedAPICategoryFileTimestamp among 0A2A.1, 3B52.1", found)

    def test_what_is_declared_and_not_used_is_found(self):
        (found,) = self.check("let a = 1\n", declared=declaration(DiskSpace=["E174.1"]))
        message = "declares NSPrivacyAccessedAPICategoryDiskSpace, which no source of the SDK uses"
        self.assertRegex(found, rf"PrivacyInfo\.xcprivacy:\d+: {message}")
        (found,) = self.check("let a = 1\n", declared=declaration(Unheard=["E174.1"]))
        self.assertIn("declares NSPrivacyAccessedAPICategoryUnheard, which no source of the SDK uses", found)

    def test_c_counts_and_other_platforms_tests_and_tools_do_not(self):
        self.assertEqual(len(self.check("fstat(file, &status);\n", "Sources/CAstrolabeCrash/a.c")), 1)
        for path in ("Tests/AstrolabeTests/A.swift", "Sources/AstrolabeTestSupport/A.swift"):
            self.assertEqual(self.check("stat(path, &status)\n", path), [])
        self.assertEqual(self.check("UserDefaults.standard\n", "Tools/Sources/Server/A.swift"), [])
        linux = "#if os(Linux)\nstatfs(path, &info)\n#endif\n"
        self.assertEqual(self.check(linux + '// stat(a)\nlet text = "stat(a)"; reader.stat(b)\n'), [])

    def test_the_manifest_is_whole_and_in_the_package(self):
        self.assertIn("expected a property list", self.check("", declared="<plist>")[0])
        tracking = self.check("", declared=declaration(tracking=True))
        self.assertEqual(tracking, [f"{privacy.MANIFEST}:1: expected NSPrivacyTracking to be false"])
        nothing = self.check("", declared=declaration(collected=()))
        self.assertEqual(nothing, [f"{privacy.MANIFEST}:1: expected the types of data that the SDK collects"])
        unbundled = self.check("", package="let package = Package()")
        self.assertEqual(unbundled, [f"Package.swift:1: expected {privacy.RESOURCE} in the resources of a target"])


if __name__ == "__main__":
    unittest.main()
