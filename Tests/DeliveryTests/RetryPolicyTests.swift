import Testing

@testable import AstrolabeDelivery

private func decide(
    _ result: SendResult, attempts: Int = 0, random: Double = 1,
) -> SendDecision {
    RetryPolicy().decide(result, attempts: attempts, random: random) { _ in (0, "") }
}

private func retry(after seconds: Double, _ reason: String, isServerRequested: Bool = false) -> SendDecision {
    .retry(after: seconds, reason: reason, isServerRequested: isServerRequested)
}

@Suite struct `The retry table` {
    @Test(arguments: [200, 202, 204]) func `success delivers`(status: Int) {
        #expect(decide(.response(status: status, retryAfter: nil, body: [])) == .delivered(rejected: 0, reason: ""))
    }

    @Test(arguments: [
        429, 500, 502, 503, 504, 401, 403, 404, 405, 408, 407, 501, 505, 511, 301, 302, 303, 307, 308, 599,
    ])
    func `a response that says nothing about the records is retried`(status: Int) {
        #expect(decide(.response(status: status, retryAfter: nil, body: [])) == retry(after: 1, "HTTP \(status)"))
    }

    @Test(arguments: [400, 413, 415, 422])
    func `a response that says something about the bytes refuses them`(status: Int) {
        #expect(
            decide(.response(status: status, retryAfter: nil, body: []))
                == .refused(reason: "HTTP \(status)", isTooLarge: status == 413))
    }

    @Test func `the server's Retry-After is respected up to an hour`() {
        #expect(
            decide(.response(status: 503, retryAfter: .seconds(7), body: []))
                == retry(after: 7, "HTTP 503", isServerRequested: true)
        )
        #expect(
            decide(.response(status: 429, retryAfter: .seconds(1e9), body: []))
                == retry(after: 3_600, "HTTP 429", isServerRequested: true)
        )
    }

    @Test func `a short Retry-After is no reason to hurry: the backoff is its minimum`() {
        for seconds in [1, 0.05] {
            let response = SendResult.response(status: 503, retryAfter: .seconds(seconds), body: [])
            #expect(decide(response) == retry(after: 1, "HTTP 503", isServerRequested: true))
            #expect(decide(response, attempts: 1) == retry(after: 1.5, "HTTP 503", isServerRequested: true))
            #expect(decide(response, attempts: 99) == retry(after: 300, "HTTP 503", isServerRequested: true))
        }
        for seconds in [0, -1, -1_000_000.0] {
            let response = SendResult.response(status: 503, retryAfter: .seconds(seconds), body: [])
            #expect(decide(response, attempts: 99) == retry(after: 300, "HTTP 503"))
        }
    }

    @Test func `being offline is retried without limit`() {
        #expect(decide(.unreachable("offline"), attempts: 999) == retry(after: 60, "offline"))
    }

    @Test func `a server that responds with errors is left alone for up to five minutes`() {
        let failure = SendResult.response(status: 500, retryAfter: nil, body: [])
        #expect(decide(failure, attempts: 99) == retry(after: 300, "HTTP 500"))
    }

    @Test func `the backoff grows to its limit, and jitter removes at most half`() {
        let waits = (0..<20).map { attempt -> Double in
            guard case .retry(let seconds, _, _) = decide(.unreachable(""), attempts: attempt) else { return 0 }
            return seconds
        }
        #expect(waits == waits.sorted())
        #expect(waits.first == 1)
        #expect(waits.last == 60)
        #expect(decide(.unreachable(""), attempts: 20, random: 0) == retry(after: 30, ""))
    }
}
