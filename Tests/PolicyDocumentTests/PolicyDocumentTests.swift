import AstrolabeOpAMP
import AstrolabePolicy
import Testing

@testable import AstrolabePolicyDocument

@Suite("The document of remote policy")
struct PolicyDocumentTests {
    private static let head = #""schema": 1, "app": "shop", "version": 7, "expires": "2026-12-31T00:00:00Z""#

    private static func promote(_ installation: Int) -> String {
        #"{"id": "a", "kind": "promote", "installation": "\#(installation)"}"#
    }

    private func read(_ rest: String) -> PolicyDocument.Reading {
        PolicyDocument.read(Array("{\(Self.head)\(rest.isEmpty ? "" : ", " + rest)}".utf8))
    }

    @Test func `all of its parts are read`() throws {
        let reading = read(
            """
            "rates": {"normal": 0.05, "reduced": 0.01}, "flushIntervals": {"full": 20, "normal": 60.5},
            "admission": "strict", "off": ["replay", "views"], "offScopes": ["shop.scroll"],
            "triggers": {"crashes": true, "hangs": false, "runEnds": true, "errors": false, "failedRequests": true,
                "slowSpans": 3, "limitPerHour": 5, "dailyBytes": 1024,
                "flows": [{"from": "Cart", "to": "Thanks"}], "rules": [{"span": "pay", "longerThan": 0.5}]},
            "requests": [{"id": "a", "kind": "promote", "installation": "i"},
                {"id": "b", "kind": "record", "installation": "i", "seconds": 7200}]
            """)
        #expect(reading.findings == [])
        let document = try #require(reading.document)
        #expect((document.app, document.version, document.expires) == ("shop", 7, 1_798_675_200))
        let policy = document.policy
        #expect(policy.version == 7)
        #expect(policy.samplingRates == ModeTable(full: nil, normal: 0.05, reduced: 0.01, minimal: nil))
        #expect(policy.flushIntervals.normal == .milliseconds(60_500))
        #expect(policy.admission == .strict)
        #expect(policy.off == [.replay, .views])
        #expect(policy.offScopes == ["shop.scroll"])
        #expect(policy.triggers.crashes == true)
        #expect(policy.triggers.hangs == false)
        #expect(policy.triggers.slowSpans == .seconds(3))
        #expect(policy.triggers.limitPerHour == 5)
        #expect(policy.triggers.dailyBytes == 1_024)
        #expect(policy.triggers.flows == [RemoteTriggers.Flow(from: "Cart", to: "Thanks")])
        #expect(policy.triggers.rules == [RemoteTriggers.Rule(span: "pay", longerThan: .milliseconds(500))])
        #expect(document.requests.map(\.kind) == [.promote, .record])
        #expect(document.requests.map(\.seconds) == [0, 7_200])
    }

    @Test func `a document of the required keys alone changes nothing`() throws {
        let document = try #require(read("").document)
        #expect(document.policy == RemotePolicy(version: 7, hash: document.hash))
        #expect(document.requests == [])
    }

    @Test(arguments: [
        (#""rates": {"normal": 1.5}"#, "$.rates.normal: expected a number from 0 to 1, found 1.5"),
        (#""rates": {"normal": -0.1}"#, "$.rates.normal: expected a number from 0 to 1, found -0.1"),
        (#""rates": {"normal": true}"#, "$.rates.normal: expected a number from 0 to 1, found true"),
        (#""rates": {"normal": 0.1, "reduced": 0.2}"#, "$.rates.reduced: expected at most the value of normal"),
        (#""rates": {"fast": 1}"#, "$.rates.fast: expected no such key here"),
        (#""rates": 1"#, "$.rates: expected an object, found 1"),
        (
            #""flushIntervals": {"full": 30, "minimal": 20}"#,
            "$.flushIntervals.minimal: expected at least the value of full",
        ),
        (#""flushIntervals": {"full": 0}"#, "$.flushIntervals.full: expected a number from 1 to 86400, found 0"),
        (#""admission": "all""#, "$.admission: expected one of standard, strict, found \"all\""),
        (#""off": "all""#, "$.off: expected a list of at most 100 elements"),
        (#""off": ["all", "replay"]"#, "$.off: expected \"all\" alone"),
        (
            #""off": ["recorder"], "triggers": {"hangs": true}"#,
            "$.triggers: expected no triggers while the recorder is off",
        ),
        (#""offScopes": [""]"#, "$.offScopes[0]: expected a text of 1 to 256 bytes, found \"\""),
        (#""triggers": {"slowSpans": 0}"#, "$.triggers.slowSpans: expected a number from 0.001 to 86400, found 0"),
        (#""triggers": {"rules": [{"span": "pay"}]}"#, "$.triggers.rules[0].longerThan: expected a value, found none"),
        (
            #""triggers": {"flows": [{"from": "A", "to": "A"}]}"#,
            "$.triggers.flows[0]: expected two different screens, found \"A\" twice",
        ),
        (
            #""requests": [{"id": "a", "kind": "record", "installation": "i", "seconds": 86401}]"#,
            "$.requests[0].seconds: expected a whole number from 1 to 86400, found 86401",
        ),
        (
            #""requests": [{"id": "a", "kind": "promote", "installation": "i", "seconds": 1}]"#,
            "$.requests[0].seconds: expected no such key here",
        ),
        (
            #""off": ["all"], "requests": [{"id": "a", "kind": "promote", "installation": "i"}]"#,
            "$.requests[0].kind: expected no request while \"all\" is off",
        ),
        (
            #""requests": [\#(promote(1)), \#(promote(2))]"#,
            "$.requests[1].id: expected an id of its own, found \"a\" twice",
        ),
        (#""app": "shop""#, "$.app: expected each key once, found it twice"),
    ])
    func `the linter names the place and what was expected`(rest: String, finding: String) {
        let reading = read(rest)
        #expect(reading.findings.map(\.description) == [finding])
        #expect(reading.document == nil)
    }

    @Test func `the linter returns all findings at once`() {
        let bytes = Array(#"{"schema": 2, "version": 0, "expires": "tomorrow", "rate": 1, "off": ["x", 1]}"#.utf8)
        #expect(
            PolicyDocument.read(bytes).findings.map(\.path)
                == ["$.schema", "$.app", "$.version", "$.expires", "$.off[0]", "$.off[1]", "$.rate"])
    }

    @Test func `what is no JSON, or too large, or too deep, is one finding`() {
        let deep = String(repeating: "[", count: 5_000)
        for text in ["", "{", "[]", "nul", "{\"a\": 01}", "{\"a\": \"\u{1}\"}", "{} x", "{\"\\uD800\": 1}", deep] {
            let reading = PolicyDocument.read(Array(text.utf8))
            #expect(reading.document == nil)
            #expect(!reading.findings.isEmpty)
        }
        #expect(PolicyDocument.read([0x7B, 0xFF, 0x7D]).findings.map(\.path) == ["$"])
        let large = Array("{\(Self.head)}".utf8) + [UInt8](repeating: 0x20, count: PolicyDocument.sizeLimit)
        #expect(PolicyDocument.read(large).findings.map(\.path) == ["$"])
    }

    @Test func `damaged documents never trap`() {
        let rest = #""rates": {"full": 1e0}, "off": ["replay"], "triggers": {"rules": [{"span": "é\n\u00e9"}]}"#
        let whole = Array("{\(Self.head), \(rest)}".utf8)
        for length in whole.indices { _ = PolicyDocument.read(Array(whole.prefix(length))) }
        for index in whole.indices {
            for byte in [0x00, 0x22, 0x5C, 0x7B, 0xFF, 0x39] as [UInt8] {
                var damaged = whole
                damaged[index] = byte
                _ = PolicyDocument.read(damaged)
            }
        }
    }

    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("2000-02-29T12:00:00Z", 951_825_600), ("2026-11-28T03:00:00.25Z", 1_795_834_800),
        ("2026-11-28T05:30:00+02:30", 1_795_834_800), ("2026-11-27T22:00:00-05:00", 1_795_834_800),
    ])
    func `times have an offset and are to the second`(text: String, seconds: Int64) {
        #expect(RFC3339.seconds(text) == seconds)
    }

    @Test(arguments: [
        "", "2026-11-28", "2026-11-28T03:00:00", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-11-28T24:00:00Z",
        "1969-12-31T23:59:59Z", "2026-11-28T03:00:00.Z", "2026-11-28T03:00:00Zx", "+026-11-28T03:00:00Z",
        "2026-1１-28T03:00:00Z",
    ])
    func `what is no time of RFC 3339 is refused`(text: String) {
        #expect(RFC3339.seconds(text) == nil)
    }

    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
        ),
    ])
    func `the digest has the values of FIPS 180-4`(text: String, digest: String) {
        #expect(SHA256.digest(Array(text.utf8)).hex == digest)
        #expect(PolicyDocument.hash(of: Array(text.utf8)) == String(digest.prefix(32)))
    }

    @Test func `an offer travels as two entries, and its hash changes with the signature`() {
        let offer = PolicyOffer(document: Array("{}".utf8), signature: [1])
        let configuration = offer.configuration
        #expect(configuration.entries["policy"]?.contentType == "application/json")
        #expect(PolicyOffer(configuration) == offer)
        #expect(configuration.hash != PolicyOffer(document: offer.document, signature: [2]).configuration.hash)
        #expect(PolicyOffer(AgentRemoteConfig(entries: [:], hash: [])) == nil)
    }
}
