import unittest

from law import apple, availability, conditions, packages
from law.module_table import ModuleTable
from tests import SCRIPTS
from tests.test_modules import target
from tests.tree import Tree

TABLE = ModuleTable("leaf Model: a\ncore Wire: b\nnative CZ: c\nstand-in SwiftUI: d\ntool Symbols: e\n")
MANIFESTS = {
    "Kit": {
        "name": "kit",
        "products": [],
        "targets": [
            target("Model"),
            target("Wire", "Model", "CZ"),
            target("CZ", kind="system"),
            target("SwiftUI"),
            target("SwiftUITests", "SwiftUI", kind="test"),
        ],
    }
}
API = apple.read_api((SCRIPTS / "apple-api.txt").read_text(encoding="utf-8"))
NAMES = apple.read_modules((SCRIPTS / "apple-modules.txt").read_text(encoding="utf-8"))
VERSIONS = availability.VersionTable((SCRIPTS / "apple-versions.txt").read_text(encoding="utf-8"))


class AppleTests(unittest.TestCase):
    def check(self, text, path="Kit/Sources/Wire/A.swift", manifests=MANIFESTS):
        with Tree({path: text}) as tree:
            found = apple.check(tree.root, packages.read(manifests), TABLE, API, NAMES, VERSIONS)
            return [str(violation).removeprefix(path + ":") for violation in found]

    def test_api_that_apple_lacks_is_found_outside_a_branch_for_others(self):
        for call, name in (
            ("socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)", "SOCK_STREAM.rawValue"),
            ("clock_gettime(CLOCK_BOOTTIME, &time)", "CLOCK_BOOTTIME"),
            ("let id = gettid()", "gettid("),
            ("syscall(1)", "syscall("),
        ):
            (found,) = self.check(f"let a = 1\n{call}\n")
            self.assertIn(f"2: {name} does not compile on iOS, macOS, tvOS and visionOS; use ", found)
            self.assertEqual(self.check(f"#if canImport(Darwin)\nlet a = 1\n#else\n{call}\n#endif\n"), [])
            self.assertEqual(self.check(f"#if os(Linux) || os(Android)\n{call}\n#endif\n"), [])
            self.assertEqual(self.check(f'let text = "{call}"  // {call}\n'), [])
            self.assertEqual(len(self.check(f"#if DEBUG\n{call}\n#endif\n")), 1)
            self.assertEqual(len(self.check(f"#if os(Linux)\nf()\n#else\n{call}\n#endif\n")), 1)

    def test_api_deprecated_on_the_mac_alone_is_lawful_for_ios(self):
        for call in (
            "Text(a).onChange(of: cart.count) { _ in f() }",
            "Text(a).onChange(of: cart.count) { new in f(new) }",
            "return onChange(of: value, perform: action)",
            "Text(a).onChange(of: value, perform: action)",
        ):
            (found,) = self.check(call + "\n")
            self.assertIn("does not compile on macOS; use onNewValue(of:perform:)", found)
            self.assertEqual(self.check(f"#if os(macOS)\nf()\n#else\n{call}\n#endif\n"), [])
        self.assertEqual(self.check("Text(a).onChange(of: value) { _, new in f(new) }\n"), [])

    def test_api_that_an_apple_tv_or_the_vision_system_lacks_is_lawful_for_ios(self):
        for call, platform in (
            ("device.isBatteryMonitoringEnabled = true", "tvOS"),
            ("observe(UIDevice.orientationDidChangeNotification)", "tvOS"),
            ("func f(_ response: UNNotificationResponse) {}", "tvOS"),
            ("let screen = UIScreen.main", "visionOS"),
        ):
            text = f"#if canImport(UIKit) && !os(watchOS)\n{call}\n#endif\n"
            (found,) = self.check(text)
            self.assertIn(f" does not compile on {platform}; use ", found)
            self.assertEqual(self.check(f"#if os(iOS)\n{call}\n#endif\n"), [])
        self.assertEqual(self.check("let level = context.batteryLevel\n"), [])

    def test_an_import_of_ours_in_one_branch_is_found(self):
        text = "#if canImport(Darwin)\nimport Darwin\n#else\nimport Glibc\nimport Model\n#endif\n"
        refused = "5: Model is imported on some platforms only, and the file goes on after the #endif"
        self.assertEqual(self.check(text + "let a = 1\n"), [refused])
        self.assertEqual(self.check(text), [])
        self.assertEqual(self.check(text.replace("#else", "import Model\n#else") + "let a = 1\n"), [])
        self.assertEqual(self.check("import Model\n" + text + "let a = 1\n"), [])
        self.assertEqual(self.check(text + "#if os(Linux)\nlet a = 1\n#endif\n"), [])
        self.assertEqual(self.check(text.replace("Model", "CZ") + "let a = 1\n"), [])

    def test_no_target_has_the_name_of_a_module_of_apples(self):
        manifests = {"Kit": {"name": "kit", "products": [], "targets": [target("Symbols"), target("SwiftUI")]}}
        self.assertEqual(
            self.check("", manifests=manifests),
            ["Kit/Package.swift:1: Symbols hides Apple's module Symbols; rename the target"],
        )
        manifests["Kit"]["targets"][0]["name"] = "metricKit"
        self.assertIn("hides Apple's module MetricKit", self.check("", manifests=manifests)[0])

    def test_what_exists_on_linux_only_may_use_its_api(self):
        for path in ("Kit/Sources/SwiftUI/A.swift", "Kit/Tests/SwiftUITests/A.swift"):
            self.assertEqual(self.check("let id = gettid()\n", path), [])

    def test_a_condition_is_evaluated_for_each_platform(self):
        for condition, ios, mac in (
            ("os(iOS)", True, False),
            ("!os(iOS) && canImport(Darwin)", False, True),
            ("canImport(UIKit) || os(macOS)", True, True),
            ("(os(Linux) || os(Android)) && DEBUG", False, False),
            ("arch(arm64)", None, None),
            ("os(macOS) && swift(>=6.2)", False, None),
            ("canImport(Glibc) || DEBUG", None, None),
            ("os(iOS) || DEBUG", True, None),
        ):
            values = [conditions.evaluate(condition, platform) for platform in ("iOS", "macOS")]
            self.assertEqual(values, [ios, mac], condition)

    def test_an_inner_block_is_compiled_where_its_outer_one_is(self):
        code = "#if os(macOS)\n#if DEBUG\na\n#else\nb\n#endif\n#elseif canImport(Darwin)\nc\n#else\nd\n#endif\ne"
        platforms = conditions.platforms_by_line(code)
        others = {"iOS", "tvOS", "visionOS"}
        for line, expected in ((3, {"macOS"}), (5, {"macOS"}), (8, others), (10, set()), (12, others | {"macOS"})):
            self.assertEqual(platforms[line - 1], expected, line)


if __name__ == "__main__":
    unittest.main()
