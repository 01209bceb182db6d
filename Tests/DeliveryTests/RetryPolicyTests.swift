import Testing

@testable import AstrolabeDelivery

private func decide(
    _ result: SendResult, attempts: Int = 0, random: Double = 1,
) -> SendDecision {
    RetryPolicy().decide(result, attempts: attempts, random: random) { _ in (0, "") }
}

private func uncountedRetry(after seconds: Double, _ reason: String) -> SendDecision {
    .retry(after: seconds, reason: reason, countsAsFailure: false, isServerRequested: false)
}

private func countedRetry(after seconds: Double, _ reason: String, isServerRequested: Bool = false) -> SendDecision {
    .retry(after: seconds, reason: reason, countsAsFailure: true, isServerRequested: isServerRequested)
}

@Suite struct `The retry table` {
    @Test(arguments: [200, 202, 204]) func `success delivers`(status: Int) {
        #expect(decide(.response(status: status, retryAfter: nil, body: [])) == .delivered(rejected: 0, reason: ""))
    }

    @Test(arguments: [429, 502, 503, 504]) func `the four retryable statuses are retried`(status: Int) {
        #expect(
            decide(.response(status: status, retryAfter: nil, body: [])) == countedRetry(after: 1, "HTTP \(status)"))
    }

    @Test(arguments: [400, 401, 403, 404, 405, 415, 500, 501, 505])
    func `every other error drops the records with its status as the reason`(status: Int) {
        #expect(decide(.response(status: status, retryAfter: nil, body: [])) == .drop(reason: "HTTP \(status)"))
    }

    @Test(arguments: [301, 302, 303, 307, 308, 407, 511])
    func `a response of an intermediary does not count as the server's`(status: Int) {
        #expect(
            decide(.response(status: status, retryAfter: nil, body: [])) == uncountedRetry(after: 1, "HTTP \(status)"))
    }

    @Test func `the server's Retry-After is respected up to an hour`() {
        #expect(
            decide(.response(status: 503, retryAfter: .seconds(7), body: []))
                == countedRetry(after: 7, "HTTP 503", isServerRequested: true)
        )
        #expect(
            decide(.response(status: 429, retryAfter: .seconds(1e9), body: []))
                == countedRetry(after: 3_600, "HTTP 429", isServerRequested: true)
        )
    }

    @Test func `a request that is too large is divided`() {
        #expect(decide(.response(status: 413, retryAfter: nil, body: [])) == .tooLarge(reason: "HTTP 413"))
    }

    @Test func `being offline is retried without limit`() {
        #expect(decide(.unreachable("offline"), attempts: 999) == uncountedRetry(after: 30, "offline"))
    }

    @Test func `the backoff grows to its limit, and jitter removes at most half`() {
        let waits = (0..<12).map { attempt -> Double in
            guard case .retry(let seconds, _, _, _) = decide(.unreachable(""), attempts: attempt) else { return 0 }
            return seconds
        }
        #expect(waits == waits.sorted())
        #expect(waits.first == 1)
        #expect(waits.last == 30)
        #expect(decide(.unreachable(""), attempts: 20, random: 0) == uncountedRetry(after: 15, ""))
    }
}
