import AstrolabePlatform
import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

/// Additions of the app to the built-in rules, and what it can see of them.
@Suite struct RedactionRequestTests {
    private func redactor(patterns: Set<String>) -> Redactor {
        var options = RedactionOptions()
        options.patterns = patterns
        return Redactor(options)
    }

    @Test(arguments: [
        ("MRN-####", "chart mrn-1234 of", "chart REDACTED of"), ("MRN-####", "MRN-12345", "MRN-12345"),
        ("MRN-####", "xMRN-1234", "xMRN-1234"), ("acct_*", "acct_9f-3_x closed", "REDACTED closed"),
        ("acct_*", "acct_", "acct_"), ("@@-###", "no ab-123!", "no ab-123!"), ("k@@-###", "kab-123!", "REDACTED!"),
        ("Ada Lovelace", "dear ada lovelace,", "dear REDACTED,"), ("Ada", "Adapter", "Adapter"),
        ("\\#42", "room #42", "room REDACTED"), ("*", "anything", "anything"), ("", "anything", "anything"),
        ("Zoë", "zoë", "REDACTED"), ("Zoë", "Zoës", "Zoës"),
    ])
    func `a pattern is replaced where it occurs as a whole`(pattern: String, text: String, redacted: String) {
        #expect(redactor(patterns: [pattern]).redacted(text) == redacted)
    }

    @Test func `coordinates given as numbers are replaced on request`() throws {
        let attributes: Attributes = ["geo.location.lat": 52.52, "geo.location.lon": 13.4, "plate": 7]
        let asIs = Recorder()
        asIs.tracer.withSpan("map", attributes: attributes) { _ in }
        #expect(try asIs.span.attributes["geo.location.lat"] == 52.52)
        let recorder = Recorder(redaction: RedactionCorpus.allKinds)
        recorder.tracer.withSpan("map", attributes: attributes) { _ in }
        #expect(try recorder.span.attributes["geo.location.lat"] == "REDACTED")
        #expect(try recorder.span.attributes["geo.location.lon"] == "REDACTED")
        #expect(try recorder.span.attributes["plate"] == 7)
    }

    @Test func `each replacement is reported once, without what was replaced`() {
        let lines = Locked<[String]>([])
        let redactor = Redactor(RedactionOptions()) { line in lines.withLock { $0.append(line) } }
        for _ in 0..<3 {
            _ = redactor.redacted("swordfish", key: "user.password")
            _ = redactor.redacted("card 4111111111111111", key: "note")
            _ = redactor.redacted("mail to ada@example.com")
            _ = redactor.isSecret(key: "cvv")
            _ = redactor.redacted("harmless", key: "note")
        }
        #expect(
            lines.withLock { $0 } == [
                "Redacted a key that names a secret in the value of \"user.password\".",
                "Redacted a card number in the value of \"note\".",
                "Redacted an e-mail address in \"mail to REDACTED\".",
                "Redacted a key that names a secret in the value of \"cvv\".",
            ])
    }

    @Test func `the lines of the report have a bound`() {
        let count = Locked(0)
        let redactor = Redactor(RedactionOptions()) { _ in count.withLock { $0 += 1 } }
        for index in 0..<1_000 { _ = redactor.redacted("x", key: "k\(index).password") }
        #expect(count.withLock { $0 } == 200)
    }

    @Test func `a decision on a key holds however many keys there are`() {
        let redactor = Redactor()
        for _ in 0..<2 {
            for index in 0..<5_000 {
                #expect(redactor.isSecret(key: "k\(index).password") && !redactor.isSecret(key: "k\(index).passenger"))
            }
        }
    }

    @Test func `attributes of a resource are replaced in arrays and maps, and as numbers`() {
        let attributes: Attributes = [
            "demo.list": ["ada@example.com", "fine"], "demo.card": 4_111_111_111_111_111,
            "demo.map": AttributeValue.map(["pin": 1234, "inner": AttributeValue.map(["note": "cvv 123"])]),
            "user.password": AttributeValue.map(["a": "b"]), "to ada@example.com": true,
        ]
        let redacted = Redactor().redacted(attributes)
        #expect(redacted["demo.list"] == ["REDACTED", "fine"] && redacted["demo.card"] == "REDACTED")
        #expect(
            redacted["demo.map"]
                == AttributeValue.map(["pin": "REDACTED", "inner": AttributeValue.map(["note": "cvv REDACTED"])]))
        #expect(redacted["user.password"] == "REDACTED" && redacted["to REDACTED"] == true)
    }
}
