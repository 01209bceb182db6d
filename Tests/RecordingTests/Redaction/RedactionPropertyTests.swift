import AstrolabeSeededRandomness
import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

@Suite struct RedactionPropertyTests {
    private let redactor = Redactor()

    /// A secret, and the forms in which it is written down.
    private enum Secret: CaseIterable {
        case card, email, bearer, password, userInformation, queryValue, securityCode, webToken, pathToken

        func make(_ random: inout SeededGenerator) -> (secret: String, text: String) {
            func word(_ count: ClosedRange<Int>) -> String {
                let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
                return String(
                    (0..<Int.random(in: count, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a"
                    })
            }
            switch self {
            case .card:
                let card = CardNumberTests.randomCard(using: &random)
                return (card, card)
            case .email:
                let address = "\(word(1...12)).\(word(1...5))@\(word(3...10)).com"
                return (address, address)
            case .bearer:
                let token = word(8...200)
                return (token, "Bearer \(token)")
            case .password:
                let value = word(4...20)
                let forms = [
                    "password=\(value)", "\"password\":\"\(value)\"", "password: \(value)", "api_key='\(value)'",
                ]
                return (value, forms.randomElement(using: &random) ?? "")
            case .userInformation:
                let value = word(6...20)
                return (value, "https://user:\(value)@example.com/path")
            case .queryValue:
                let value = word(6...20)
                return (value, "https://example.com/path?name=\(value)&other=1")
            case .securityCode:
                let code = String(Int.random(in: 1_000...9_999, using: &random))
                return (code, "cvv: \(code)")
            case .webToken:
                let payload = "eyJ\(word(10...60))"
                return (payload, "eyJhbGciOiJIUzI1NiJ9.\(payload).\(word(43...43))")
            case .pathToken:
                let token = "7f3\(word(20...30))x9k2z"
                return (token, "/reset/a1b2c3d4\(token)")
            }
        }
    }

    /// Harmless text to hide a secret in.
    private static let surroundings = [
        "", " ", "order placed ", "\n", "{\"a\":1,\"b\":\"", "\"}", " (", ") ", "[", "] ", "error: ", ", ", "; ", " - ",
        "🔭 ",
        "ä", "<", "> ", "50 % ", "/api/cart ", "https://example.com/ ", "cvv ok, ", "@here ", "? ", "# ", "&", "\u{0} ",
        "%",
        "%2", "%GG ", "\\", "\\\"", "\t", "a=1 ", "key: value ",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01 ",
    ]

    @Test func `no text shows a secret that was put into it`() {
        var random = SeededGenerator(seed: 6)
        for round in 0..<9_000 {
            let kind = Secret.allCases[round % Secret.allCases.count]
            let (secret, text) = kind.make(&random)
            let before = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                Self.surroundings.randomElement(using: &random) ?? ""
            }
            let after = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                Self.surroundings.randomElement(using: &random) ?? ""
            }
            // A blank keeps what stands around from being read as part of the secret's name or of the secret.
            let whole = before.joined() + " " + text + " " + after.joined()
            let redacted = redactor.redacted(whole)
            #expect(!redacted.contains(secret), "\(kind): \(whole) -> \(redacted)")
        }
    }

    @Test func `no text traps, and what is not sensitive is not touched`() {
        var random = SeededGenerator(seed: 7)
        let pieces =
            Self.surroundings + [
                "4111", "1111", "cvv", "bearer", "basic", "password", "token", "=", ":", "@", ".", "://", "?", "%25",
                "%40", "\"",
                "'", "(", "{", "}", "0123456789", "ada", "\u{FFFD}", "e\u{301}", "-", "_",
                "eyJ", "eyJhbGciOiJIUzI1NiJ9", "/", "sk-", "ghp_", "AKIA", "-----BEGIN ", "DE89", "a1b2c3d4e5f6",
                "550e8400-e29b-41d4-a716-446655440000",
            ]
        for _ in 0..<7_000 {
            let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            let redacted = redactor.redacted(text)
            let isTouched = redacted != text
            var copy = text
            let isClean = copy.withUTF8 { bytes in
                redactor.isClean(bytes, key: UnsafeBufferPointer(start: nil, count: 0))
            }
            // What the quick look lets pass, the thorough one must not have changed.
            if isClean { #expect(!isTouched) }
            #expect(redacted.utf8.elementsEqual(String(decoding: Array(redacted.utf8), as: UTF8.self).utf8))
        }
    }

    @Test func `the quick look lets nothing pass that the thorough one would replace`() {
        var random = SeededGenerator(seed: 8)
        for round in 0..<9_000 {
            let (_, text) = Secret.allCases[round % Secret.allCases.count].make(&random)
            var padded = String(repeating: "a", count: Int.random(in: 0...20, using: &random)) + " " + text
            let isClean = padded.withUTF8 { redactor.isClean($0, key: UnsafeBufferPointer(start: nil, count: 0)) }
            #expect(!isClean, "\(padded)")
        }
    }

    @Test func `random bytes do not trap`() {
        var random = SeededGenerator(seed: 9)
        for _ in 0..<1_000 {
            let bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            _ = redactor.redacted(String(decoding: bytes, as: UTF8.self))
            _ = redactor.redacted(String(decoding: bytes.map { $0 & 0x3F | 0x20 }, as: UTF8.self), key: "url.query")
        }
    }

    @Test func `texts that repeat what begins a secret do not trap`() {
        for piece in [
            "?", "@", ":", "=", "%", "1", "a@", "://", "cvv ", "password:", "%25", "4 ", "-1", "\"", "basic ",
            "a.b@c.d ", "/", "/a1b2c3d4e5f6g7h8", "eyJ", "eyJabcdefgh.", "-----BEGIN ", "sk-", "DE89 ", "DE89370400",
        ] {
            _ = redactor.redacted(String(repeating: piece, count: 500))
        }
    }

    @Test func `attributes of every kind are redacted before they are recorded`() throws {
        let recorder = Recorder()
        let span = recorder.tracer.spanBuilder("pay 4111111111111111").startSpan()
        span.setAttribute("text", "card 4111111111111111")
        span.setAttribute("list", ["ada@example.com", "fine"])
        span.setAttribute(
            "map", .map(["password": "hunter2", "inner": AttributeValue.map(["card": "4111 1111 1111 1111"])]))
        span.setAttribute("password", .map(["anything": "hunter2"]))
        span.setAttribute("cvv", 123)
        span.setAttribute("token", .bytes([104, 117, 110]))
        span.setAttribute("card_number", 4_111_111_111_111_111)
        span.addEvent("mail to ada@example.com", attributes: ["note": "cvv 123"])
        span.addLink(span.context, attributes: ["user.email": "ada@example.com"])
        span.setStatus(.error("Bearer abcdefghijkl was refused"))
        span.end()
        recorder.events.emit(
            "ada@example.com", body: .map(["card": "4111111111111111"]), attributes: ["authorization": "Basic YTpi"])
        recorder.meter.counter("paid").add(1, attributes: ["card": "4111111111111111"])
        recorder.registry.collect()

        for record in recorder.rawRecords {
            let text = String(decoding: record, as: UTF8.self)
            for secret in ["4111", "ada@", "hunter2", "hun", "123", "abcdefghijkl", "YTpi"] {
                #expect(!text.contains(secret))
            }
        }
        #expect(
            try recorder.span.attributes["map"]
                == .map(["password": "REDACTED", "inner": AttributeValue.map(["card": "REDACTED"])]))
        #expect(try recorder.span.attributes["password"] == "REDACTED")
    }

    @Test func `a secret that straddles the length limit does not show in part`() throws {
        var limits = RecordLimits()
        limits.attributeValueLength = 30
        let recorder = Recorder(limits: limits)
        let span = recorder.tracer.spanBuilder("any").startSpan()
        span.setAttribute("text", "this is my new card: 4111111111111111")
        span.end()
        #expect(try recorder.span.attributes["text"] == "this is my new card: REDACTED")
    }
}
