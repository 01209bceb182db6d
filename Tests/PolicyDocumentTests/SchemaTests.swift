import AstrolabePolicy
import AstrolabeTestSupport
import Foundation
import Testing

@testable import AstrolabePolicyDocument

/// `Docs/remote-policy.schema.json`, which editors and other languages read.
@Suite struct `The published schema` {
    private let schema: [String: Any]

    init() throws {
        let file = Repository.file("Docs/remote-policy.schema.json")
        schema = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    }

    private func part(_ path: String) throws -> [String: Any] {
        try path.split(separator: ".").reduce(schema) { part, key in
            try #require(part[String(key)] as? [String: Any], "\(path)")
        }
    }

    @Test func `names the instruments, kinds of requests and rules of admission that the linter knows`() throws {
        #expect(try part("properties.off.items")["enum"] as? [String] == Instrument.allCases.map(\.rawValue))
        let kinds = try part("properties.requests.items.properties.kind")["enum"] as? [String]
        #expect(kinds == PolicyDocument.Request.Kind.allCases.map(\.rawValue))
        let rules = try part("properties.admission")["enum"] as? [String]
        #expect(rules == PolicyConfiguration.Admission.allCases.map(\.rawValue))
        #expect(try part("properties.schema")["const"] as? Int == PolicyDocument.schema)
        let seconds = try part("properties.requests.items.properties.seconds")
        #expect(seconds["maximum"] as? Int == PolicyDocument.longestRecording)
    }

    @Test(arguments: ["", "triggers.", "rates.", "flushIntervals."])
    func `has no key that the linter does not know`(parent: String) throws {
        let path = parent.isEmpty ? "properties" : "properties.\(parent)properties"
        for key in try part(path).keys {
            let value = parent.isEmpty ? "{\"\(key)\": null}" : "{\"\(parent.dropLast())\": {\"\(key)\": null}}"
            let findings = PolicyDocument.read(Array(value.utf8)).findings
            #expect(!findings.contains { $0.problem == "expected no such key here" }, "\(key)")
            #expect(findings.contains { $0.path == "$.\(parent)\(key)" }, "\(key)")
        }
    }

    @Test func `requires the keys that the linter requires`() throws {
        let required = try #require(schema["required"] as? [String])
        #expect(PolicyDocument.read(Array("{}".utf8)).findings.map(\.path) == required.map { "$.\($0)" })
    }
}
