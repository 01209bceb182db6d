import unittest

from law import chance, style, swift_source
from tests.test_style import MODULES, TABLE
from tests.tree import Tree

PATH = "Tests/ModelTests/SpanTests.swift"
POLLING, BOUND, MINUTE = chance._POLLING, chance._BOUND, chance._MINUTE


def test(body, traits="", suite=""):
    """A suite with one test, whose body starts at line 3."""
    name = "`while one is open, another waits for it`"
    return f"@Suite{suite} struct `Spans` {{\n    @Test{traits} func {name}() {{\n{body}\n}}\n}}\n"


class ChanceTests(unittest.TestCase):
    def check(self, text, path=PATH):
        found = sorted(chance.check(path, swift_source.read(text)))
        return [f"{violation.line}: {violation.message}" for violation in found]

    def refused(self, body, message, line=3):
        self.assertEqual(self.check(test(body)), [f"{line}: {message}"], body)

    def lawful(self, body):
        self.assertEqual(self.check(test(body)), [], body)

    def test_it_is_part_of_the_style_of_tests(self):
        text = test("while !isDone { await Task.yield() }")
        for path, expected in ((PATH, [f"{PATH}:3: {POLLING}"]), ("Sources/Model/Span.swift", [])):
            with Tree({path: text}) as tree:
                found = style.check(tree.root, TABLE, MODULES, "/home/someone")
            self.assertEqual([str(one) for one in found], expected)

    def test_the_shared_tools_of_tests_may_do_what_tests_may_not(self):
        text = test("while !isDone, ContinuousClock.now < end { await Task.yield() }")
        self.assertEqual(len(self.check(text)), 1)
        self.assertEqual(self.check(text, "Tests/Support/TestSupport/Eventually.swift"), [])

    def test_a_loop_that_only_yields_is_no_wait(self):
        for loop in (
            "while !isDone { await Task.yield() }",
            "while !isDone {\n    await Task.yield()\n}",
            "while changes.withLock({ $0.last }) != last, !Task.isCancelled { await Task.yield() }",
            "while try await kept.answer(make: { text }) != text {\n    await Task.yield()\n    await Task.yield()\n}",
            "for _ in 0..<50 { await Task.yield() }",
            "for _ in 0..<100_000 where parts.isAlive { await Task.yield() }",
            "repeat { await Task.yield() } while !isDone",
        ):
            self.refused(loop, POLLING)

    def test_a_loop_that_asks_again_and_again_is_no_wait(self):
        for loop in (
            "while (try? await HTTP.request(address)) != nil {}",
            "while ContinuousClock.now < end { spin() }",
            "while count < 5, Date() < end {\n    count += read()\n}",
            "repeat {\n    if isDone() { return true }\n} while ContinuousClock.now < end",
        ):
            self.refused(loop, POLLING)

    def test_a_loop_that_works_or_awaits_events_is_lawful(self):
        for loop in (
            "for _ in 0..<20 {\n    await Task.yield()\n    #expect(currentID == id)\n}",
            "while count < 5 {\n    if append() { count += 1 } else { await Task.yield() }\n}",
            "await tracer.withSpan(name) { _ in await Task.yield() }",
            "for await _ in events {}",
            "while let line = await lines.next(), line != last {}",
            "while connection.write(text) {}",
            "while core.clock.now < before + 50 {}",
            'try await eventually("while it runs { await Task.yield() }") { isDone }',
        ):
            self.lawful(loop)

    def test_the_wall_clock_has_no_upper_bound(self):
        for check in (
            "#expect(ContinuousClock.now - start < .seconds(5))",
            "#expect(.seconds(5) > ContinuousClock.now - start)",
            "#expect((.milliseconds(150) ..< .seconds(5)).contains(ContinuousClock.now - start))",
            "#expect(start.duration(to: .now) <= .seconds(5))",
            "#expect(Date().timeIntervalSince(start) < 5)",
            "#expect(abs(oldest.timeIntervalSinceNow) < 60)",
            "#expect(ProcessInfo.processInfo.systemUptime - start < 2)",
            "#expect(Int((ContinuousClock.now - start) / .milliseconds(1)) < 5_000)",
            "guard ContinuousClock.now < end else { return }",
            "#expect(isPrepared.wait(timeout: .now() + 20) == .success)",
        ):
            self.refused(check, BOUND)

    def test_a_measured_value_has_no_upper_bound(self):
        for measure in (
            "let time = ContinuousClock.now - start",
            "let time = try await ContinuousClock().measure { try await post() }",
            "let time = start.duration(to: ContinuousClock.now)",
            "let time: TimeInterval = Date().timeIntervalSince(start)",
        ):
            self.refused(f"{measure}\n#expect(time >= .seconds(1) && time < .seconds(10))", BOUND, line=4)
            self.lawful(f"{measure}\n#expect(time >= .seconds(1))\nprint(time)")
        clock = "let clock = ContinuousClock()\nlet time = try clock.measure { decode() }\n"
        self.refused(clock + "#expect(time < .seconds(20))", BOUND, line=5)
        self.lawful(clock.replace("ContinuousClock", "TestClock") + "#expect(time < .seconds(20))")
        elsewhere = test("let time = ContinuousClock.now - start") + test("#expect(time < 5)")
        self.assertEqual(self.check(elsewhere), [])

    def test_a_value_that_a_function_measures_has_no_upper_bound(self):
        value = "Int((ContinuousClock.now - start) / .milliseconds(1))"
        function = f"func milliseconds(_ body: () -> Void) -> Int {{\n    return {value}\n}}\n"
        self.refused(function + "let opened = milliseconds { open() }\n#expect(opened < 8_000)", BOUND, line=7)
        self.refused(function + "#expect(milliseconds(open) < 8_000)", BOUND, line=6)
        self.lawful(function + "let opened = other { open() }\n#expect(opened < 8_000)")

    def test_virtual_time_and_a_thorough_test_may_have_bounds(self):
        self.lawful("#expect(clock.now - start < .seconds(5))")
        self.lawful("#expect(bench.now - 5 < record.time)")
        self.lawful("let old = Date(timeIntervalSinceNow: -2 * 86_400)\n#expect(old < end)")
        bound = "#expect(ContinuousClock.now - start < .seconds(5))"
        thorough = "(.enabled(if: Thoroughness.isThorough, \"runs with ./astrolabe test --thorough\"))"
        self.assertEqual(self.check(test(bound, traits=thorough)), [])
        self.assertEqual(self.check(test(bound, suite=thorough)), [])
        self.lawful(f"if Thoroughness.isThorough {{ {bound} }}")

    def test_a_server_has_no_fixed_port(self):
        for code, port in (
            ("try Server(port: 8080)", 8080),
            ("settings.port = 4318", 4318),
            ("settings.grpcPort = 4_317", 4317),
            ("func start(port: Int = 9000) {}", 9000),
            ("address.sin_port = in_port_t(9000).bigEndian", 9000),
            ('run(["console", "--port", "4318"])', 4318),
            ('run(["console", "--grpc-port=4317"])', 4317),
            ('let command = "astrolabe console --port 4318"', 4318),
        ):
            self.refused(code, f"port {port} may be in use; let the server choose one with port 0")

    def test_a_port_that_is_only_parsed_or_where_nothing_listens_is_lawful(self):
        for code in (
            "try Server(port: 0)",
            "try Server(port: port)",
            "connect(to: ServerAddress(port: 9))",
            'run(["console", "--port", "0", "--grpc-port=0"])',
            '("--port", "70000", "--port: expected 0 to 65535, found 70000")',
            '#expect(url == "http://localhost:4318")',
            "#expect(settings.port == 4318)",
            "rows.sort = 2_000",
        ):
            self.lawful(code)

    def test_the_state_of_the_process_is_changed_in_a_serialized_suite_only(self):
        for code, name in (
            ("setenv(name, value, 1)", "setenv"),
            ("defer { unsetenv(name) }", "unsetenv"),
            ("FileManager.default.changeCurrentDirectoryPath(path)", "changeCurrentDirectoryPath"),
        ):
            self.refused(code, f"{name} changes the whole process; use a child process, or .serialized")
            self.assertEqual(self.check(test(code, suite="(.serialized, .timeLimit(.minutes(5)))")), [])
        self.lawful('process.environment = ["A": "setenv(name)"]')

    def test_a_time_limit_is_longer_than_a_minute(self):
        self.assertEqual(self.check(test("", suite="(.timeLimit(.minutes(1)))")), [f"1: {MINUTE}"])
        self.assertEqual(self.check(test("", traits="(.timeLimit(.minutes(1)))")), [f"2: {MINUTE}"])
        self.assertEqual(self.check(test("", suite="(.timeLimit(.minutes(10)))")), [])


if __name__ == "__main__":
    unittest.main()
