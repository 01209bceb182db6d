import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

@Suite struct ScopeTests {
    @Test func `a scope keeps its name, version and attributes, without secrets`() {
        let recorder = Recorder()
        let scope = InstrumentationScope(
            name: "shop", version: "2", attributes: ["team": "payments", "password": "hunter2"], )
        let tracer = Tracer(core: recorder.core, scope: scope)
        tracer.withSpan("root") { _ in }
        let kept = recorder.scopes[Int(recorder.headers[0].scope.rawValue)]
        #expect(kept.name == "shop" && kept.version == "2")
        #expect(kept.attributes == ["team": "payments", "password": "REDACTED"])
    }

    @Test func `scopes that differ in attributes alone are two`() {
        let recorder = Recorder()
        for team in ["a", "b", "a"] {
            let scope = InstrumentationScope(name: "shop", attributes: ["team": team])
            Tracer(core: recorder.core, scope: scope).withSpan(team) { _ in }
        }
        let numbers = recorder.headers.map(\.scope)
        #expect(numbers[0] == numbers[2] && numbers[0] != numbers[1])
    }
}
