import Testing

@testable import Delivery

private func decide(
    _ result: SendResult, refusals: Int = 0, attempts: Int = 0, random: Double = 1,
) -> SendDecision {
    RetryPolicy().decide(result, refusals: refusals, attempts: attempts, random: random) { _ in (0, "") }
}

@Suite struct `The retry table` {
    @Test(arguments: [200, 202, 204]) func `success delivers`(status: Int) {
        #expect(decide(.answered(status: status, retryAfter: nil, body: [])) == .delivered(rejected: 0, reason: ""))
    }

    @Test(arguments: [429, 502, 503, 504]) func `the four retryable statuses are tried again`(status: Int) {
        #expect(
            decide(.answered(status: status, retryAfter: nil, body: [])) == .retry(after: 1, reason: "HTTP \(status)"))
    }

    @Test(arguments: [400, 401, 403, 404, 405, 413, 415, 500, 501, 505])
    func `every other refusal gives the records up with its status as the reason`(status: Int) {
        #expect(decide(.answered(status: status, retryAfter: nil, body: [])) == .drop(reason: "HTTP \(status)"))
    }

    @Test func `the server's Retry-After is kept, but never beyond an hour`() {
        #expect(decide(.answered(status: 503, retryAfter: 7, body: [])) == .retry(after: 7, reason: "HTTP 503"))
        #expect(decide(.answered(status: 429, retryAfter: 1e9, body: [])) == .retry(after: 3_600, reason: "HTTP 429"))
    }

    @Test func `the sixth refusal in a row is the last`() {
        #expect(
            decide(.answered(status: 503, retryAfter: nil, body: []), refusals: 5) == .drop(reason: "HTTP 503, 6 times")
        )
    }

    @Test func `being offline is tried again however often`() {
        #expect(decide(.unreachable("offline"), refusals: 99, attempts: 999) == .retry(after: 30, reason: "offline"))
    }

    @Test func `the wait grows to its limit, and jitter takes away at most half`() {
        let waits = (0..<12).map { attempt -> Double in
            guard case .retry(let seconds, _) = decide(.unreachable(""), attempts: attempt) else { return 0 }
            return seconds
        }
        #expect(waits == waits.sorted())
        #expect(waits.first == 1)
        #expect(waits.last == 30)
        #expect(decide(.unreachable(""), attempts: 20, random: 0) == .retry(after: 15, reason: ""))
    }
}
