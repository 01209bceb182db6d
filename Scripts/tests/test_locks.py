import unittest

from law import locks, style, swift_source
from tests.test_style import MODULES, TABLE
from tests.tree import Tree

PATH = "Sources/Model/Span.swift"


class LockTests(unittest.TestCase):
    def check(self, text):
        found = sorted(set(locks.check(PATH, swift_source.read(text))))
        return [f"{violation.line}: {violation.message}" for violation in found]

    def message(self, name, line=1):
        return [f"{line}: {name} {locks._MESSAGE}"]

    def test_it_is_part_of_the_style_of_sources(self):
        text = "state.withLock { _ in onDiagnostic(line) }\n"
        for path, count in ((PATH, 1), ("Tests/ModelTests/SpanTests.swift", 0)):
            with Tree({path: text}) as tree:
                found = [str(one) for one in style.check(tree.root, TABLE, MODULES, "/home/someone")]
            self.assertEqual(len(found), count, found)

    def test_the_app_is_not_called_while_a_lock_is_held(self):
        for call, name in (
            ("onDiagnostic(line)", "onDiagnostic"),
            ("configuration.onDiagnostic(line)", "onDiagnostic"),
            ("hooks.onSilence(line)", "onSilence"),
            ("for processor in log { processor.onEmit(&record) }", "onEmit"),
            ("processor.onStart(span, parent: nil)", "onStart"),
            ("sampler.shouldSample(input)", "shouldSample"),
            ("events.emit(name)", "emit"),
            ("if isOpen { root = tracer.startSpan(name) }", "startSpan"),
            ("let image = source.wireframe()", "wireframe"),
        ):
            self.assertEqual(self.check(f"state.withLock {{ state in {call} }}\n"), self.message(name), call)
            text = f"let a = state.withLock({{ state in\n{call}\n}})\n"
            self.assertEqual(self.check(text), self.message(name, 2), call)

    def test_what_is_called_before_or_after_is_lawful(self):
        for code in (
            "let line = state.withLock { $0.takeLine() }\nif let line { onDiagnostic(line) }\n",
            "events.emit(name)\nstate.withLock { $0.count += 1 }\n",
            "observer.withLock { $0 }?()\n",
            "onCritical.withLock { $0 }(kind)\nlogger.emit(name)\n",
        ):
            self.assertEqual(self.check(code), [], code)

    def test_what_only_looks_like_a_call_is_lawful(self):
        for code in (
            "state.withLock { $0.onDiagnostic = body }\n",
            "state.withLock { state in\n    // Never onDiagnostic(line).\n    state.text = \"onDiagnostic(line)\"\n}\n",
            "state.withLock { $0.emitted(3) }\n",
        ):
            self.assertEqual(self.check(code), [], code)

    def test_what_a_task_does_later_is_lawful(self):
        for task in ("Task {", "Task.detached {", "Task(priority: .utility) { [weak self] in", "Task { @MainActor in"):
            self.assertEqual(self.check(f"state.withLock {{ $0.task = {task} events.emit(name) }} }}\n"), [], task)
        text = "state.withLock { state in\n    state.task = Task { emit() }\n    onDiagnostic(line)\n}\n"
        self.assertEqual(self.check(text), self.message("onDiagnostic", 3))


if __name__ == "__main__":
    unittest.main()
