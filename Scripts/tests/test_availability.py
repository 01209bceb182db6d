import unittest

from law import apple, availability, packages
from law.module_table import ModuleTable
from tests import SCRIPTS
from tests.test_modules import target
from tests.tree import Tree

VERSIONS = availability.VersionTable((SCRIPTS / "apple-versions.txt").read_text(encoding="utf-8"))
TABLE = ModuleTable("leaf Model: a\ncore Wire: b\ntool Query: c\nstand-in SwiftUI: d\n")


def package(name, systems, *targets):
    platforms = [{"platformName": system, "version": version} for system, version in systems.items()]
    return {"name": name, "products": [], "targets": list(targets), "platforms": platforms}


MANIFESTS = {
    "Kit": package(
        "kit",
        {"ios": "16.0", "macos": "13.0"},
        target("Model"),
        target("Wire", "Model"),
        target("SwiftUI"),
        target("WireTests", "Wire", kind="test"),
    ),
    "Console": package("console", {"macos": "15.0"}, target("Query"), target("QueryTests", "Query", kind="test")),
}


class AvailabilityTests(unittest.TestCase):
    def check(self, text, path="Console/Sources/Query/A.swift", others=None):
        with Tree({path: text, **(others or {})}) as tree:
            found = apple.check(tree.root, packages.read(MANIFESTS), TABLE, [], set(), VERSIONS)
            return [str(violation).removeprefix(path + ":") for violation in found]

    def test_api_newer_than_the_deployment_target_of_the_console_is_found_there(self):
        text = "func sum(_ numbers: [Int]) -> Int {\n    let numbers = numbers.span\n    return numbers[0]\n}\n"
        refused = ["2: Array.span needs macOS 26, and the package supports macOS 15"]
        self.assertEqual(self.check(text), refused)
        self.assertEqual(self.check(text, "Console/Tests/QueryTests/A.swift"), refused)
        self.assertEqual(self.check(text.replace("[Int]", "ContiguousArray<Int>")), [])
        self.assertEqual(self.check(text, "Kit/Sources/SwiftUI/A.swift"), [])

    def test_each_package_s_own_systems_decide(self):
        text = "let text = String(\n    validating: bytes, as: UTF8.self)\n"
        self.assertEqual(self.check(text), [])
        self.assertEqual(
            self.check(text, "Kit/Tests/WireTests/A.swift"),
            ["1: String(validating:as:) needs iOS 18 and macOS 15, and the package supports iOS 16 and macOS 13"],
        )

    def test_a_condition_on_the_system_or_on_its_version_makes_it_lawful(self):
        path = "Kit/Sources/Wire/A.swift"
        refused = "1: Mutex needs iOS 18 and macOS 15, and the package supports iOS 16 and macOS 13"
        self.assertEqual(self.check("let a = Mutex(1)\n", path), [refused])
        self.assertEqual(self.check("#if os(Linux)\nlet a = Mutex(1)\n#endif\n", path), [])
        self.assertEqual(len(self.check("#if os(iOS)\nlet a = Mutex(1)\n#endif\n", path)), 1)
        for lawful in (
            "if #available(iOS 18, macOS 15, *) { f(Mutex(1)) }\n",
            "func f() {\n    guard #available(iOS 18.0, macOS 15.0, *) else { return }\n    f(Mutex(1))\n}\n",
            "@available(iOS 26, macOS 26, *)\nfinal class A {\n    let a = Mutex(1)\n}\n",
        ):
            self.assertEqual(self.check(lawful, path), [])
            self.assertEqual(len(self.check(lawful + "let b = Mutex(2)\n", path)), 1)
        only = self.check("if #available(iOS 18, *) { f(Mutex(1)) }\n", path)
        self.assertEqual(only, ["1: Mutex needs macOS 15, and the package supports macOS 13"])

    def test_a_check_ensures_its_versions_where_the_compiler_says(self):
        new, lawful = "f(Observations { 1 })", 0
        for code, refused in (
            (f"guard #available(macOS 26, *) else {{ {new} }}\n", 1),
            (f"guard #available(macOS 26, *), {new} else {{ return }}\n{new}\n", lawful),
            (f"if #available(macOS 26, *), a.allSatisfy({{ $0 }}) {{ {new} }} else {{ f() }}\n", lawful),
            (f"if #available(macOS 26, *) {{ f() }} else {{ {new} }}\n", 1),
            (f"if #unavailable(macOS 26) {{ {new} }} else {{ {new} }}\n", 1),
            # The compiler refuses it after a return, too.
            (f"if #unavailable(macOS 26) {{ return }}\n{new}\n", 1),
            (f"guard #unavailable(macOS 26) else {{ {new} }}\n{new}\n", 1),
        ):
            self.assertEqual(len(self.check(f"func g() {{\n{code}}}\n")), refused, code)

    def test_an_attribute_ends_with_its_declaration(self):
        for declaration in (
            "let a = 1",
            "typealias A = Int",
            "import A",
            "@MainActor\n\nprivate\nlet a = [\n    1,\n]",
            "func f(\n    a: () -> Int = { 1 }\n)\n    -> Int\n    where A: B\n{\n    f(Observations { 1 })\n}",
            "let a =\n    f(Observations { 1 })",
            "let a: Int { f(Observations { 1 }) }",
        ):
            code = f"@available(macOS 26, *) {declaration}\n"
            self.assertEqual(self.check(code), [], code)
            self.assertEqual(len(self.check(code + "func g() {\n    f(Observations { 1 })\n}\n")), 1, code)

    def test_a_block_after_a_value_is_no_closure(self):
        path = "Kit/Sources/Wire/A.swift"
        for closure in ("let a = numbers.indices { $0 > 1 }\n", "#if DEBUG\nnumbers.indices { $0 > 1 }\n#endif\n"):
            (found,) = self.check(closure, path)
            self.assertIn("Collection.indices(where:) needs iOS 18 and macOS 15", found)
        for block in ("for a in numbers.indices { f(a) }\n", "if a,\n    b == c.indices { f() }\n"):
            self.assertEqual(self.check(block, path), [])

    def test_each_form_of_the_table_is_found(self):
        for use, name in (
            ("let a: InlineArray<3, Int>", "InlineArray"),
            ("var counts = sums.mutableSpan", "Array.mutableSpan"),
            ("extension Array {\n    func f() { let elements = span }\n}", "Array.span"),
            ("names.map(\\.utf8Span)", "String.utf8Span"),
            ("Task.immediate(priority: .high, operation: f)", "Task.immediate(operation:)"),
            ("f()\n    .messages(of: a, for: b)", "NotificationCenter.messages(of:for:)"),
            ("let url: URL = .init(template: t, variables: v)", "URL(template:variables:)"),
            ("let a: Foundation.URL.Template", "URL.Template"),
            ("withTaskPriorityEscalationHandler { f() }", "withTaskPriorityEscalationHandler"),
            ("Task.immediate { f() }", "Task.immediate(operation:)"),
            ("Task.immediate(priority: high(1)) { f() }", "Task.immediate(operation:)"),
            ("Task.immediateDetached { f() }", "Task.immediateDetached(operation:)"),
            ("text.transform(updating: range) { f() }", "AttributedString.transform(updating:body:)"),
            ("let a: Swift.InlineArray<3, Int>", "InlineArray"),
            ("let url = Foundation.URL(template: t, variables: v)", "URL(template:variables:)"),
            ("let a: [3 of Int]", "[of]"),
        ):
            found = [line.partition(": ")[2] for line in self.check(use + "\n")]
            self.assertEqual(found, [f"{name} needs macOS 26, and the package supports macOS 15"], use)

    def test_what_we_declare_ourselves_under_the_same_name_is_lawful(self):
        text = "public struct Record {\n    public let span: Int\n}\nstruct Mutex {}\n"
        ours = {"Kit/Sources/Model/Record.swift": text}
        uses = "import Model\nlet a = record.span\nlet b = Mutex()\n"
        self.assertEqual(self.check(uses, "Kit/Sources/Wire/A.swift", ours), [])
        self.assertEqual(len(self.check(uses.replace("import Model", ""), "Kit/Sources/Wire/A.swift", ours)), 2)
        hidden = {"Kit/Sources/Model/Record.swift": text.replace("public let", "private let")}
        self.assertEqual(len(self.check(uses, "Kit/Sources/Wire/A.swift", hidden)), 1)
        self.assertEqual(len(self.check("func f() {\n    let span = values.span\n}\n")), 1)
        self.assertEqual(self.check("let kind = Kind.a\nif case .span = kind { f(span: 1) }\n"), [])
        self.assertEqual(self.check('let a = "Mutex"  // Mutex\n'), [])

    def test_a_version_is_a_number_of_parts(self):
        self.assertLess(availability.version("9.3"), availability.version("10"))
        self.assertEqual(availability.version("15.0"), availability.version("15"))
        self.assertLess(availability.version("18"), availability.version("18.4"))


if __name__ == "__main__":
    unittest.main()
