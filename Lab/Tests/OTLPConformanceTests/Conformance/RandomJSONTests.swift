import AstrolabeOTLP
import AstrolabeSeededRandomness
import AstrolabeTestSupport
import Foundation
import Testing

@Suite struct `JSON text of chance` {
    @Test(.enabled(if: OfficialMessages.python != nil, OfficialMessages.skipReason))
    func `is accepted where Python accepts it`() throws {
        var random = SeededGenerator(seed: 11)
        let pieces = [
            "{", "}", "[", "]", ",", ":", "\"a\"", "\"\\n\"", "1", "-0.5e1", "true", "null", " ", "01", "\"\\q\"",
        ]
        let texts = (0..<Thoroughness.count(10_000, thorough: 50_000)).map { _ in
            let count = Int.random(in: 1...7, using: &random)
            let inner = (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined()
            return "{\"unknown\":\(inner)}"
        }
        let verdicts = try OfficialMessages.withFolder { folder in
            let file = folder.appendingPathComponent("texts")
            try Data(texts.joined(separator: "\0").utf8).write(to: file)
            return try OfficialMessages.run("is_json.py", [file.path])
        }
        try #require(verdicts.count == texts.count)
        for (text, verdict) in zip(texts, verdicts) {
            let isRead = (try? OTLPDecoder.logs(json: Array(text.utf8))) != nil
            #expect(isRead == (verdict == UInt8(ascii: "1")), "\(text)")
        }
        #expect(verdicts.count { $0 == UInt8(ascii: "1") } > texts.count / 100)
    }
}
