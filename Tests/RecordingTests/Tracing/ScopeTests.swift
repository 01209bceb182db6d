import AstrolabeSemantics
import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

@Suite struct ScopeTests {
    @Test func `a scope keeps its name, version and attributes, without secrets`() {
        let recorder = Recorder()
        let scope = InstrumentationScope(
            name: "shop", version: "2", attributes: ["team": "payments", "password": "hunter2"])
        let tracer = Tracer(core: recorder.core, scope: scope)
        tracer.withSpan("root") { _ in }
        let kept = recorder.scopes[Int(recorder.headers[0].scope.rawValue)]
        #expect(kept.name == "shop" && kept.version == "2")
        #expect(kept.attributes == ["team": "payments", "password": "REDACTED"])
    }

    @Test func `a scope keeps its schema URL, beside the scope of every signal`() throws {
        let recorder = Recorder()
        let scope = InstrumentationScope(name: "shop", schemaURL: "https://opentelemetry.io/schemas/1.30.0")
        Tracer(core: recorder.core, scope: scope).withSpan("root") { _ in }
        Tracer(core: recorder.core, scope: InstrumentationScope(name: "shop")).withSpan("root") { _ in }
        Tracer(core: recorder.core, scope: .ofSDK("part")).withSpan("root") { _ in }
        let groups = try recorder.spanGroups.map { ($0.scope, $0.schemaURL) }
        try #require(groups.map(\.1) == ["https://opentelemetry.io/schemas/1.30.0", "", SchemaURL.current])
        #expect(groups[0].0 == groups[1].0)
    }

    @Test func `a scope that a crash leaves behind keeps its schema URL`() {
        let scopes = RegisteredScopes()
        let (with, without) = (
            InstrumentationScope(name: "a", version: "1", schemaURL: "https://example.com/1"),
            InstrumentationScope(name: "b"),
        )
        scopes.add(with, ScopeNumber(rawValue: 1))
        scopes.add(without, ScopeNumber(rawValue: 2))
        scopes.mirror { mirrored in
            #expect(RegisteredScopes.scope(1, in: mirrored) == with)
            #expect(RegisteredScopes.scope(2, in: mirrored) == without)
            #expect(RegisteredScopes.scope(3, in: mirrored) == InstrumentationScope(name: ""))
        }
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
