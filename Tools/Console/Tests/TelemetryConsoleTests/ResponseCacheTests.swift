import AstrolabeTestSupport
import BrowserKit
import ConsoleModel
import Testing

@testable import TelemetryConsole

@Suite(.timeLimit(.minutes(5)))
struct ResponseCacheTests {
    private static func text(_ number: Int) -> JSONText {
        var text = JSONText()
        text.append(number)
        return text
    }

    @Test
    func `a quick answer is made for each request`() async throws {
        let kept = ResponseCache(cheap: .seconds(60))
        for number in 1...3 {
            let answer = try await kept.answer("a", at: 1) { Self.text(number) }
            #expect(answer.text.string == String(number))
            #expect(answer.age == .zero)
        }
    }

    @Test
    func `a slow answer is kept as long as nothing arrives`() async throws {
        let kept = ResponseCache(cheap: .zero, pause: 0)
        for number in 1...3 {
            let answer = try await kept.answer("a", at: 1) { Self.text(number) }
            #expect(answer.text.string == "1")
            #expect(answer.age == .zero)
        }
        #expect(try await kept.answer("b", at: 1) { Self.text(4) }.text.string == "4")
    }

    @Test
    func `while a slow answer is made again, the last one is returned with its age`() async throws {
        let kept = ResponseCache(cheap: .zero, pause: 0)
        _ = try await kept.answer("a", at: 1) { Self.text(1) }
        let (begins, begin) = AsyncStream.makeStream(of: Void.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        for _ in 0..<2 {
            let answer = try await kept.answer("a", at: 2) {
                begin.yield()
                for await _ in ends {}
                return Self.text(2)
            }
            #expect(answer.text.string == "1")
            #expect(answer.age > .zero)
        }
        for await _ in begins { break }
        end.finish()
        // The answer that was begun once, not twice, comes when it is made.
        try await eventually("the answer is the new one") {
            try await kept.answer("a", at: 2, make: { Self.text(3) }).text.string == "2"
        }
    }

    @Test
    func `a slow answer that is too old is made again before it is returned`() async throws {
        let kept = ResponseCache(cheap: .zero, pause: 0, longestAge: .zero)
        for number in 1...3 {
            let answer = try await kept.answer("a", at: Int64(number)) { Self.text(number) }
            #expect(answer.text.string == String(number))
            #expect(answer.age == .zero)
        }
    }

    /// Often, because the second question must not meet the first one's failure at any moment.
    @Test
    func `an answer that fails is asked for again`() async throws {
        for number in 1...500 {
            let kept = ResponseCache(cheap: .zero, pause: 0)
            await #expect(throws: CancellationError.self) {
                try await kept.answer("a", at: 1) { throw CancellationError() }
            }
            #expect(try await kept.answer("a", at: 1) { Self.text(number) }.text.string == String(number))
        }
    }
}
