import AstrolabePolicy
import Testing

@testable import AstrolabePolicyDocument

@Suite("A phone that is offered a document")
struct PolicyGateTests {
    private static let signature = [UInt8](repeating: 1, count: 64)
    private let gate = PolicyGate(
        app: "shop",
        bounds: RemotePolicyBounds().filled(
            from: PolicyConfiguration(), dailyBytes: 2_000, limitPerHour: 20),
    ) { signature, _ in signature == PolicyGateTests.signature }

    private func document(version: Int = 2, _ rest: String = "") -> String {
        #"{"schema": 1, "app": "shop", "version": \#(version), "expires": "2026-12-31T00:00:00Z"\#(rest)}"#
    }

    private func decide(
        _ text: String, signature: [UInt8] = signature, after current: String? = nil, at now: Int64 = 0,
    ) -> PolicyRefusal? {
        let before = current.flatMap { PolicyDocument.read(Array($0.utf8)).document }
        let offer = PolicyOffer(document: Array(text.utf8), signature: signature)
        switch gate.decide(offer, after: before, at: now) {
        case .success: return nil
        case .failure(let refusal): return refusal
        }
    }

    @Test func `follows one that is newer, or the one that it has`() {
        #expect(decide(document()) == nil)
        #expect(decide(document(version: 3), after: document(version: 2)) == nil)
        #expect(decide(document(version: 2), after: document(version: 2)) == nil)
    }

    @Test func `refuses one without a signature, with another's, and one that was changed after it was signed`() {
        #expect(decide(document(), signature: []) == .unsigned)
        #expect(decide(document(), signature: [1]) == .wrongSignature)
        #expect(decide(document(), signature: [UInt8](repeating: 2, count: 64)) == .wrongSignature)
        // Bytes are judged only after their signature.
        #expect(decide("{", signature: [UInt8](repeating: 2, count: 64)) == .wrongSignature)
    }

    @Test func `refuses an old, an expired, a large and another app's`() {
        #expect(decide(document(version: 1), after: document(version: 2)) == .replayed(version: 1, current: 2))
        #expect(decide(document(version: 2, " "), after: document(version: 2)) == .replayed(version: 2, current: 2))
        #expect(decide(document(), at: 1_798_675_200) == .expired)
        #expect(decide(document(version: 2, String(repeating: " ", count: 65_536))) == .tooLarge)
        let other = document().replacing("shop", with: "mail")
        #expect(decide(other) == .otherApp("mail"))
        guard case .invalid(let findings)? = decide("{}") else {
            Issue.record("expected an invalid document")
            return
        }
        #expect(findings.count == 4)
    }

    @Test(arguments: [
        (#", "rates": {"normal": 0.2}"#, "$.rates.normal"),
        (#", "flushIntervals": {"full": 1}"#, "$.flushIntervals.full"),
        (#", "triggers": {"dailyBytes": 2001}"#, "$.triggers.dailyBytes"),
        (#", "triggers": {"limitPerHour": 21}"#, "$.triggers.limitPerHour"),
        (#", "requests": [{"id": "a", "kind": "record", "installation": "i", "seconds": 60}]"#, "$.requests[0].kind"),
    ])
    func `refuses one that asks for more than the app has configured`(rest: String, path: String) {
        guard case .beyondBounds(let findings)? = decide(document(version: 2, rest)) else {
            Issue.record("expected a document beyond the bounds")
            return
        }
        #expect(findings.map(\.path) == [path])
    }

    @Test func `follows less collection, triggers, kill switches and promotions by default`() {
        let rest = """
            , "rates": {"full": 0.1, "normal": 0.1}, "flushIntervals": {"full": 60, "normal": 60},
            "admission": "strict", "off": ["replay"], "requests": [{"id": "a", "kind": "promote", "installation": "i"}],
            "triggers": {"errors": true, "dailyBytes": 2000, "rules": [{"span": "pay", "longerThan": 1}]}
            """
        #expect(decide(document(version: 2, rest)) == nil)
    }

    @Test func `a refusal says why in a sentence, with at most five findings`() {
        let findings = (0..<7).map { PolicyFinding("$.\($0)", "expected less") }
        #expect(
            PolicyRefusal.invalid(findings).description
                == "The document is invalid. $.0: expected less; $.1: expected less; $.2: expected less; "
                + "$.3: expected less; $.4: expected less; 2 more")
    }
}
