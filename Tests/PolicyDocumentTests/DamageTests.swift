import AstrolabeOpAMP
import AstrolabePolicyDocument
import AstrolabeSeededRandomness
import AstrolabeTestSupport
import Testing

@Suite struct `Damaged input of remote policy` {
    private let document = Array(
        """
        {"schema": 1, "app": "shop", "version": 7, "expires": "2026-12-31T00:00:00Z", "rates": {"normal": 5e-2},
        "flushIntervals": {"full": 20}, "off": ["replay"], "triggers": {"slowSpans": 3.5, "flows":
        [{"from": "C\\u00e4rt", "to": "é"}], "rules": [{"span": "pay\\n", "longerThan": 0.5}]},
        "requests": [{"id": "b", "kind": "record", "installation": "i", "seconds": 7200}]}
        """.utf8)

    /// The input with some bytes changed, removed, repeated or added.
    private func damage(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
            let start = Int.random(in: bytes.indices, using: &random)
            let end = min(bytes.count, start + Int.random(in: 0...9, using: &random))
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[start] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes[start] = .random(in: 0...255, using: &random)
            case 2: bytes.removeSubrange(start..<end)
            case 3: bytes.insert(contentsOf: bytes[start..<end], at: start)
            default: bytes.insert(.random(in: 0...255, using: &random), at: start)
            }
        }
        return bytes
    }

    @Test func `is read or refused, and never both nor neither`() {
        var random = SeededGenerator(seed: 31)
        let whole = PolicyDocument.read(document)
        #expect(whole.findings == [])
        for _ in 0..<Thoroughness.count(1_000, thorough: 100_000) {
            let reading = PolicyDocument.read(damage(document, &random))
            #expect((reading.document == nil) != reading.findings.isEmpty)
        }
    }

    @Test func `of messages is refused, or is what is written again`() throws {
        var random = SeededGenerator(seed: 31)
        var offer = ServerToAgent(instanceUID: Array(0..<16))
        offer.remoteConfig = PolicyOffer(document: document, signature: Array(0..<64)).configuration
        offer.errorResponse = ServerErrorResponse(.unavailable, message: "busy", retryAfterNanoseconds: 5)
        var report = AgentToServer(instanceUID: Array(0..<16), sequenceNumber: 1 << 40)
        report.health = ComponentHealth(isHealthy: true)
        report.remoteConfigStatus = RemoteConfigStatus(lastHash: [1, 2, 3], state: .failed, errorMessage: "no")
        for _ in 0..<Thoroughness.count(1_000, thorough: 100_000) {
            if let read = try? ServerToAgent(decoding: damage(offer.bytes, &random)) {
                #expect(try ServerToAgent(decoding: read.bytes) == read)
            }
            if let read = try? AgentToServer(decoding: damage(report.bytes, &random)) {
                #expect(try AgentToServer(decoding: read.bytes) == read)
            }
        }
    }
}
