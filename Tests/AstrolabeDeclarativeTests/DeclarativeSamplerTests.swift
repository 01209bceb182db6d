import Astrolabe
import AstrolabeRecording
import AstrolabeTelemetryModel
import Foundation
import Testing

@testable import AstrolabeDeclarative

/// The sampler of a file, and its diagnostics. The sampler begins in the second line.
private func read(_ sampler: String) throws -> (sampler: (any Sampler)?, notes: [String]) {
    let text = """
        {"file_format": "1.1", "tracer_provider": {"processors": [{"simple": {"exporter": {"otlp_http": {}}}}], "sampler":
        \(sampler)}}
        """
    var file = try DeclarativeConfiguration(Data(text.utf8), name: "otel.json", environment: ["RATIO": "0.25"])
    var configuration = TelemetryConfiguration()
    try file.apply(to: &configuration)
    return (configuration.sampler, file.notes)
}

private func rules(_ rules: String) -> String { #"{"composite/development": {"rule_based": {"rules": [\#(rules)]}}}"# }

private func parent(isRemote: Bool) throws -> SpanContext {
    SpanContext(
        traceID: try #require(TraceID(hex: "0af7651916cd43dd8448eb211c80319c")),
        spanID: try #require(SpanID(hex: "b7ad6b7169203331")), flags: .sampled, isRemote: isRemote)
}

private func isSampled(
    _ sampler: (any Sampler)?, parent: SpanContext? = nil, kind: SpanKind = .internal, _ attributes: Attributes = [:],
) throws -> Bool {
    let trace = try #require(TraceID(hex: "0af7651916cd43dd8448eb211c80319c"))
    let input = SamplingInput(parent: parent, traceID: trace, name: "work", kind: kind, attributes: attributes)
    return try #require(sampler).shouldSample(input).isSampled
}

@Suite struct `Declarative samplers` {
    @Test(arguments: [
        (#"{"probability/development": {"ratio": "${RATIO}"}}"#, "CompositeSampler{ComposableProbability{0.25}}"),
        (#"{"probability/development": null}"#, "CompositeSampler{ComposableProbability{1.0}}"),
        (#"{"composite/development": {"always_on": null}}"#, "CompositeSampler{ComposableAlwaysOn}"),
        (
            #"{"composite/development": {"probability": {"ratio": 0.5}}}"#,
            "CompositeSampler{ComposableProbability{0.5}}",
        ),
        (
            #"{"composite/development": {"parent_threshold": {"root": {"always_off": {}}}}}"#,
            "CompositeSampler{ComposableParentThreshold{root:ComposableAlwaysOff}}",
        ),
        (#"{"composite/development": {"rule_based": null}}"#, "CompositeSampler{ComposableRuleBased{}}"),
        (
            rules(#"{"sampler": {"always_off": {}}}, {"sampler": {"always_on": {}}}"#),
            "CompositeSampler{ComposableRuleBased{rules[0]:ComposableAlwaysOff,rules[1]:ComposableAlwaysOn}}",
        ),
        (#"{"always_record": {"root": {"always_off": {}}}}"#, "AlwaysRecord{AlwaysOffSampler}"),
    ])
    func `are composed as the file says`(text: String, description: String) throws {
        let (sampler, notes) = try read(text)
        #expect(sampler?.description == description)
        #expect(notes.filter { $0.contains("sampler") } == [])
    }

    @Test func `decide by the first rule whose conditions all apply`() throws {
        let (sampler, _) = try read(
            rules(
                """
                {"span_kinds": ["client", "producer"], "parent": ["none", "remote"],
                 "attribute_values": {"key": "db.operation", "values": ["PING", "404"]}, "sampler": {"always_off": {}}},
                {"attribute_patterns": {"key": "url.path", "included": ["/api/*"], "excluded": ["*/health"]},
                 "sampler": {"always_on": {}}},
                {"parent": ["local"], "sampler": {"always_on": {}}}
                """))
        let (remote, local) = (try parent(isRemote: true), try parent(isRemote: false))
        // Each span meets all conditions of the first rule but one, and the third rule if its parent is local.
        #expect(try !isSampled(sampler, kind: .client, ["db.operation": "PING", "url.path": "/api/a"]))
        #expect(try !isSampled(sampler, parent: remote, kind: .producer, ["db.operation": 404, "url.path": "/api/a"]))
        #expect(try !isSampled(sampler, kind: .client, ["db.operation": ["GET", "PING"], "url.path": "/api/a"]))
        #expect(try isSampled(sampler, kind: .server, ["db.operation": "PING", "url.path": "/api/a"]))
        #expect(try isSampled(sampler, parent: local, kind: .client, ["db.operation": "PING"]))
        #expect(try isSampled(sampler, kind: .client, ["db.operation": "GET", "url.path": "/api/a"]))
        #expect(try isSampled(sampler, kind: .client, ["url.path": "/api/a"]))
        // The second rule.
        #expect(try !isSampled(sampler, ["url.path": "/api/health"]))
        #expect(try !isSampled(sampler, ["url.path": "/start"]))
        #expect(try !isSampled(sampler, parent: remote))
        #expect(try isSampled(sampler, parent: local))
    }

    @Test func `match a value exactly, and a pattern without its excluded values`() throws {
        let (exact, _) = try read(
            rules(#"{"attribute_values": {"key": "a", "values": ["x*"]}, "sampler": {"always_on": {}}}"#))
        #expect(try isSampled(exact, ["a": "x*"]) && !isSampled(exact, ["a": "xy"]))
        let (excluding, _) = try read(
            rules(#"{"attribute_patterns": {"key": "a", "excluded": ["4??"]}, "sampler": {"always_on": {}}}"#))
        #expect(try isSampled(excluding, ["a": 200]) && !isSampled(excluding, ["a": 404]))
        #expect(try !isSampled(excluding), "a span without the attribute does not match")
    }

    @Test func `are the default if a part is in development and not known, with its line`() throws {
        let (sampler, notes) = try read(rules(#"{"sampler": {"annotating/development": {}}}"#))
        #expect(sampler == nil)
        #expect(
            notes.contains {
                $0.hasPrefix("otel.json:2:") && $0.contains("rules[0].sampler.annotating/development: in development")
            }, "\(notes)")
    }

    @Test(arguments: [
        (
            rules(#"{"span_kinds": ["clien"], "sampler": {"always_on": {}}}"#),
            "rule_based.rules[0].span_kinds[0]: expected client, consumer, internal, producer or server, found another",
        ),
        (rules(#"{"parent": []}"#), "rules[0].parent: expected an array with one element or more"),
        (rules(#"{"parent": ["none"]}"#), "rules[0].sampler: expected the key, found nothing. Add it."),
        (
            rules(#"{"attribute_values": {"key": "a"}, "sampler": {"always_on": {}}}"#),
            "rules[0].attribute_values.values: expected the key, found nothing. Add it.",
        ),
        (
            #"{"composite/development": {"probability": {"ratio": 2}}}"#,
            "composite/development.probability.ratio: expected a number from 0 to 1, found the number 2",
        ),
        (
            #"{"composite/development": {"parent_treshold": {}}}"#,
            "unknown key. Expected always_on, always_off, probability, parent_threshold or rule_based.",
        ),
        (#"{"composite/development": null}"#, "tracer_provider.sampler.composite/development: expected an object"),
        (
            #"{"composite/development": {"parent_threshold": {"root": null}}}"#,
            "composite/development.parent_threshold.root: expected an object, found null",
        ),
    ])
    func `that are wrong are refused with their line and key`(text: String, problem: String) throws {
        let error = #expect(throws: ConfigurationError.self) { try read(text) }
        #expect(error?.description.hasPrefix("otel.json:2:") == true, "\(error?.description ?? "")")
        #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
    }
}
