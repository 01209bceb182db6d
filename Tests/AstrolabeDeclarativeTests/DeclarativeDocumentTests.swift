import Astrolabe
import AstrolabeExtras
import AstrolabeRecording
import AstrolabeTestSupport
import Foundation
import Testing

@testable import AstrolabeDeclarative

@Suite struct `Declarative configuration page` {
    private let page = Repository.file("Docs/Guide/Declarative.md")
    private let keys = Repository.file("Docs/Internals/DeclarativeKeys.md")

    /// With `ASTROLABE_WRITE_DOCS=1` in the environment the table is written instead of compared.
    @Test func `has a table of keys that matches the code`() throws {
        let text = try String(contentsOf: keys, encoding: .utf8)
        let begin = try #require(text.range(of: DeclarativeDocument.begin))
        let end = try #require(text.range(of: DeclarativeDocument.end))
        let expected = "\n\n" + DeclarativeDocument.table + "\n\n"
        if ProcessInfo.processInfo.environment["ASTROLABE_WRITE_DOCS"] == "1" {
            let updated = text.replacingCharacters(in: begin.upperBound..<end.lowerBound, with: expected)
            try updated.write(to: keys, atomically: true, encoding: .utf8)
            return
        }
        #expect(text[begin.upperBound..<end.lowerBound] == expected, "set ASTROLABE_WRITE_DOCS=1 to write the table")
    }

    @Test func `has an example that reads without a diagnostic`() throws {
        let text = try String(contentsOf: page, encoding: .utf8)
        let begin = try #require(text.range(of: "```json\n"))
        let end = try #require(text.range(of: "```", range: begin.upperBound..<text.endIndex))
        var file = try DeclarativeConfiguration(
            Data(text[begin.upperBound..<end.lowerBound].utf8), name: "example.json", environment: ["API_KEY": "key"])
        var configuration = TelemetryConfiguration()
        try file.apply(to: &configuration)
        #expect(file.notes == [])
        #expect(configuration.serviceName == "shop")
        #expect(configuration.endpoint?.headers == ["x-honeycomb-team": "key"])
    }

    @Test func `has an example of a composite sampler that reads without a diagnostic`() throws {
        let text = try String(contentsOf: page, encoding: .utf8)
        let begin = try #require(text.range(of: "```json\n{ \"composite/development\""))
        let end = try #require(text.range(of: "```", range: text.index(after: begin.lowerBound)..<text.endIndex))
        let sampler = text[begin.lowerBound..<end.lowerBound].dropFirst("```json\n".count)
        let provider = #""processors": [{"simple": {"exporter": {"otlp_http": {}}}}], "sampler": "# + sampler
        var file = try DeclarativeConfiguration(
            Data((#"{"file_format": "1.1", "tracer_provider": {"# + provider + "}}").utf8), name: "example.json",
            environment: [:])
        var configuration = TelemetryConfiguration()
        try file.apply(to: &configuration)
        #expect(file.notes.filter { $0.contains("sampler") } == [])
        #expect(configuration.sampler is CompositeSampler)
    }

    @Test func `names only types that the schema has`() {
        for type in DeclarativeSchema.types.values {
            for key in type.keys {
                switch key.shape {
                case .object(let name), .list(let name): #expect(DeclarativeSchema.types[name] != nil, "\(name)")
                default: break
                }
            }
        }
    }
}
