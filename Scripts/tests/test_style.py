import unittest

from law import style
from law.module_table import ModuleTable
from tests.tree import Tree

TABLE = ModuleTable("leaf ShopModel: a\napp App: b\ntool Server: c\ntest-support Fixture: d\n")
MODULES = {
    "Sources/Model": "ShopModel",
    "Examples/Shop/Sources/App": "App",
    "Tools/Server/Sources/Server": "Server",
    "Lab/Sources/Fixture": "Fixture",
}
UNDONE = "TO" + "DO"


class StyleTests(unittest.TestCase):
    def check(self, files, home="/home/someone"):
        with Tree(files) as tree:
            return [str(found) for found in style.check(tree.root, TABLE, MODULES, home)]

    def swift(self, text, path="Sources/Model/Span.swift"):
        return [line.removeprefix(path + ":") for line in self.check({path: text})]

    def test_lawful_source_is_let_through(self):
        text = (
            "/// Never calls fatalError(): see `let a = b`.\nstruct Span {\n"
            '    let text = "fatalError() // ' + UNDONE + '"\n    // Sorted, because a reader compares it by eye.\n}\n'
        )
        self.assertEqual(self.swift(text), [])

    def test_the_sdk_does_not_take_its_host_down(self):
        for trap in ("fatalError", "preconditionFailure", "precondition"):
            refused = [f"2: {trap} would take the host app down; ShopModel is of the SDK"]
            self.assertEqual(self.swift(f"func f() {{\n    {trap}()\n}}\n"), refused)
        self.assertEqual(self.swift("fatalError()\n", "Examples/Shop/Sources/App/Main.swift"), [])

    def test_what_runs_on_a_phone_uses_nothing_newer_than_its_system(self):
        app = "Examples/Shop/Sources/App/Main.swift"
        for path, module in (("Sources/Model/Span.swift", "ShopModel"), (app, "App")):
            refused = [f"1: InlineArray is newer than iOS 16, on which {module} runs"]
            self.assertEqual(self.swift("let a: InlineArray<4, Int>\n", path), refused)
            refused = [f"1: Observable is newer than iOS 16, on which {module} runs"]
            self.assertEqual(self.swift("@Observable final class Cart {}\n", path), refused)
            refused = [f"1: a type over a parameter pack is newer than iOS 16, on which {module} runs"]
            self.assertEqual(self.swift("struct Row<each Column> {}\n", path), refused)
        self.assertEqual(self.swift("let a: InlineArray<4, Int>\n", "Tools/Server/Sources/Server/Main.swift"), [])

    def test_unchecked_concurrency_needs_its_reason_on_the_line(self):
        for mark in ("@unchecked Sendable", "nonisolated(unsafe)"):
            refused = [f"1: {mark} needs its reason in a comment on the same line"]
            self.assertEqual(self.swift(f"{mark} x\n"), refused)
            self.assertEqual(self.swift(f"{mark} x  //\n"), refused)
            self.assertEqual(len(self.swift(f"// guarded by the lock\n{mark} x\n")), 1)
            self.assertEqual(self.swift(f"{mark} x  // guarded by the lock\n"), [])

    def test_an_attempt_whose_result_nothing_uses_needs_a_reason(self):
        refused = "nothing uses the result of try?; say in a comment here or above why a failure does not matter"
        for code in ("try? file.remove()", "_ = try? file.remove()", "if isOld { try? file.remove() }"):
            self.assertEqual(self.swift(f"{code}\n"), [f"1: {refused}"], code)
            self.assertEqual(self.swift(f"{code}  // the system removes it later\n"), [], code)
            self.assertEqual(self.swift(f"// The system removes it later.\n{code}\n"), [], code)
            self.assertEqual(self.swift(f"{code}\n", "Tools/Server/Sources/Server/Main.swift"), [], code)
        for used in ("let a = try? file.read()", "guard (try? f()) != nil else { return }", "files.map { try? f() }"):
            self.assertEqual(self.swift(used + "\n"), [], used)

    def test_tests_do_not_sleep(self):
        path = "Tests/ModelTests/SpanTests.swift"
        for call, name in (
            ("try await Task.sleep(for: .seconds(1))", "Task.sleep"),
            ("Thread.sleep(forTimeInterval: 1)", "Thread.sleep"),
            ("usleep(1000)", "usleep"),
            ("sleep(1)", "sleep"),
            ("try await ContinuousClock().sleep(for: .seconds(1))", "ContinuousClock().sleep"),
        ):
            refused = [f"1: {name} waits for luck; await an event or advance a clock"]
            self.assertEqual(self.swift(call + "\n", path), refused)
            nested = "Tools/Server/Tests/ServerTests/RouteTests.swift"
            self.assertEqual(self.swift(call + "\n", nested), refused)
        for lawful in ("try await testClock.sleep(for: .seconds(1))", "func sleep(until deadline: Instant) {}"):
            self.assertEqual(self.swift(lawful + "\n", path), [])
        pause = "Tests/Support/TestSupport/Eventually.swift"
        self.assertEqual(self.swift("try await Task.sleep(for: .milliseconds(5))\n", pause), [])

    def test_tests_do_not_send_to_the_default_endpoint(self):
        path = "Tests/ModelTests/SpanTests.swift"
        message = "the test sends to the default endpoint; set the endpoint or the transport in the same function"
        for call in (
            "Telemetry.start(configuration(at: (1)))",
            "Telemetry.start(\n        configuration, transport: URLSessionTransport())",
        ):
            other = "func f() {\n    configuration.endpoint = nil\n}\n"
            self.assertEqual(self.swift(f"{other}func g() {{\n    {call}\n}}\n", path), [f"5: {message}"])
            for irrelevant in (".health.isEnabled = false", ".endpoint == nil"):
                text = f"func f() {{\n    configuration{irrelevant}\n    {call}\n}}\n"
                self.assertEqual(self.swift(text, path), [f"3: {message}"])
            for lawful in (".endpoint = nil", ".transport = Recorder()", ".endpoint?.url = url", ".isEnabled = false"):
                text = f"func f() {{\n    configuration{lawful}\n    {call}\n}}\n"
                self.assertEqual(self.swift(text, path), [])
        own = "func f() {\n    Telemetry.start(configuration(), transport: Recorder())\n}\n"
        self.assertEqual(self.swift(own, path), [])
        start = "func f() {\n    Telemetry.start(configuration)\n}\n"
        self.assertEqual(self.swift(start, "Sources/Model/Span.swift"), [])
        self.assertEqual(self.swift(start, "Tests/DocumentationTests/Snippets/CartTests.swift"), [])

    def test_tests_read_as_sentences_and_use_swift_testing(self):
        path = "Tests/ModelTests/SpanTests.swift"
        self.assertEqual(self.swift("@Test func `an empty cart is refused`() {}\n", path), [])
        self.assertEqual(self.swift("@Test(arguments: [1])\nfunc `adds`(n: Int) {}\n", path), [])
        self.assertEqual(self.swift('@Test("An empty cart is refused")\nfunc refusal() {}\n', path), [])
        self.assertEqual(
            self.swift("@Test(arguments: [1])\nfunc addsOne(n: Int) {}\n", path),
            ["2: the test addsOne ought to read as a sentence: func `an empty cart is refused`()"],
        )
        self.assertEqual(
            self.swift("@preconcurrency import XCTest\n", path),
            ["1: tests are written with Swift Testing, not XCTest"],
        )
        self.assertEqual(self.swift("import XCTest\n", "Tests/DocumentationTests/Snippets/CartTests.swift"), [])

    def test_no_work_is_left_undone(self):
        message = f"{UNDONE} is work left undone; do it, or open an issue for it"
        self.assertEqual(self.swift(f"let a = 1  // {UNDONE}: more\n"), [f"1: {message}"])
        self.assertEqual(self.check({"Assets/page.js": f"\n// {UNDONE}\n"}), [f"Assets/page.js:2: {message}"])
        self.assertEqual(self.check({"Scripts/go": f"#!/bin/sh\n# {UNDONE}\n"}), [f"Scripts/go:2: {message}"])
        self.assertEqual(self.check({"Docs/Rules.md": f"No {UNDONE} is left.\n"}), [])

    def test_no_banner_divides_a_file(self):
        refused = ["1: a banner divides what ought to be two files, or nothing"]
        for banner in ("// MARK: --- Helpers", "// MARK: - Helpers ------", "// ==========", "//////////"):
            self.assertEqual(self.swift(banner + "\n"), refused, banner)
        self.assertEqual(self.swift("/// +------+------+\n/// | kind | time |\n// MARK: - Lease\n"), [])

    def test_a_doc_comment_opens_with_a_noun_or_a_verb(self):
        hint = "begin with a noun or a verb; with 'True if' for a Bool"
        for word in ("What", "Whether", "Where", "How", "Who", "Whose", "Which", "Whatever", "Whoever"):
            refused = f"a doc comment opens with '{word}'; {hint}"
            self.assertEqual(self.swift(f"/// {word} it is.\nlet a = 1\n"), [f"1: {refused}"])
            self.assertEqual(self.swift(f"let a = 1\n\n    /// {word}\n"), [f"3: {refused}"])
            self.assertEqual(self.swift(f"/// {word}\n", "Tests/ModelTests/SpanTests.swift"), [f"1: {refused}"])
        for lawful in (
            "/// However long it is.",
            "/// The reason.\n/// Whether it is one, is another matter.",
            "/// - Parameter a: Whether it is one.",
            "// Whether it is one.",
            "/// True if it is one.",
        ):
            self.assertEqual(self.swift(lawful + "\nlet a = 1\n"), [], lawful)

    def test_no_code_is_kept_in_comments(self):
        refused = ["1: code in a comment; git remembers what was deleted"]
        for code in (
            "let a = 1",
            "private func f(a: Int) {",
            "import Foundation",
            "return f(a)",
            "if a {",
            "}",
            "} else {",
            "try await client.send(request)",
        ):
            self.assertEqual(self.swift(f"// {code}\n"), refused, code)
        for prose in ("Let the facade wire them.", "If a lease ends, its rows are free.", "Returns (at last) a value."):
            self.assertEqual(self.swift(f"// {prose}\n"), [], prose)
        self.assertEqual(self.swift("///     let a = 1\nlet b = 2  // f(b)\n"), [])

    def test_no_line_ends_a_call_with_a_comma(self):
        refused = ["2: a comma before a parenthesis on its line; the formatter keeps both"]
        self.assertEqual(self.swift("f(\n    a: 1, b: 2, )\n"), refused)
        self.assertEqual(self.swift('f(\n    a: 1,\n    b: ", )",\n)\n'), [])

    def test_the_format_is_not_opted_out_of(self):
        refused = ["1: the format is law in Sources; mend the line instead of exempting it"]
        text = "// swift-format-ignore: NeverForceUnwrap\nlet a = b!\n"
        self.assertEqual(self.swift(text), refused)
        self.assertEqual(self.swift(text, "Tools/Server/Sources/Server/Main.swift"), refused)
        self.assertEqual(self.swift(text, "Lab/Sources/Fixture/Main.swift"), [])
        self.assertEqual(self.swift(text, "Lab/Tests/FixtureTests/MainTests.swift"), [])

    def test_a_long_file_needs_a_reason_and_a_short_one_may_have_none(self):
        path = "Sources/Model/Span.swift"
        long, short = "let a = 1\n" * 401, "let a = 1\n" * 400
        allow = f"# Why.\n{path}: one state machine\n"
        refused = f"{path}:401: 401 lines, over 400: divide the file, or give the reason in Scripts/long-files.txt"
        self.assertEqual(self.check({path: long}), [refused])
        self.assertEqual(self.check({path: short}), [])
        self.assertEqual(self.check({path: long, "Scripts/long-files.txt": allow}), [])
        stale = f"Scripts/long-files.txt:2: {path} is no longer over 400 lines; delete its exemption"
        self.assertEqual(self.check({path: short, "Scripts/long-files.txt": allow}), [stale])
        bare = f"Scripts/long-files.txt:1: expected '<path>: <reason>', found '{path}'"
        self.assertEqual(self.check({path: long, "Scripts/long-files.txt": path + "\n"})[0], bare)

    def test_a_comment_or_a_script_has_no_long_line(self):
        self.assertEqual(self.swift("// " + "a" * 117 + "\n"), [])
        self.assertEqual(self.swift("let a = 1\n// " + "a" * 118 + "\n"), ["2: 121 columns, over 120"])
        self.assertEqual(self.swift('let a = "' + "a" * 120 + '"\n'), [])
        self.assertEqual(self.check({"run.py": "#" * 121 + "\n"}), ["run.py:1: 121 columns, over 120"])

    def test_no_path_of_the_machine_is_kept(self):
        with Tree({"Docs/a.md": "ok\n"}) as tree:
            (tree.root / "Docs/a.md").write_text(f"Run\n{tree.root}/astrolabe\n", encoding="utf-8")
            found = [str(violation) for violation in style.check(tree.root, TABLE, MODULES, "/home/someone")]
        hint = "is a path of this machine; write it from the root of the repository"
        self.assertIn(f"Docs/a.md:2: {tree.root} {hint}", found)
        home = {"Docs/a.md": "in /home/someone/.cache, not /home/someone-else\n"}
        self.assertEqual(self.check(home), [f"Docs/a.md:1: /home/someone {hint}"])
        self.assertEqual(self.check(home, home="/root"), [])


if __name__ == "__main__":
    unittest.main()
