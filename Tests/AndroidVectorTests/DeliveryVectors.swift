import AstrolabePolicy
import AstrolabeSeededRandomness
import AstrolabeTelemetryModel

@testable import AstrolabeDelivery

/// The consequences of the results of requests, and the time of the next flush.
struct DeliveryVectors {
    var file: VectorFile {
        var random = SeededGenerator(seed: 16)
        return VectorFile(
            name: "delivery",
            sections: [
                ("results", Self.results(&random)), ("schedules", (0..<8).map { _ in Self.schedule(&random) }),
            ])
    }

    /// `[status or "timedOut" or "unreachable", retry after, failed attempts, random, verdict, wait, of the server]`.
    private static func results(_ random: inout SeededGenerator) -> [JSON] {
        let statuses = [
            200, 202, 204, 299, 300, 301, 304, 400, 401, 402, 403, 404, 405, 408, 409, 410, 413, 414, 415, 418, 421,
            422, 423, 425, 429, 431, 451, 500, 501, 502, 503, 504, 507, 511, 599,
        ]
        var cases = statuses.map { result(.response(status: $0, retryAfter: nil, body: []), JSON($0), nil, 0, 0.5) }
        for seconds in [0, 0.5, 30, 3_600, 90_000, -5] {
            let response = SendResult.response(status: 503, retryAfter: .seconds(seconds), body: [])
            cases.append(result(response, 503, seconds, 3, 0.25))
        }
        for attempts in [0, 1, 2, 5, 9, 12, 14, 30, 64, 1_000] {
            let random = Double.random(in: 0..<1, using: &random)
            cases.append(result(.response(status: 500, retryAfter: nil, body: []), 500, nil, attempts, random))
            cases.append(result(.timedOut, "timedOut", nil, attempts, random))
            cases.append(result(.unreachable("no route"), "unreachable", nil, attempts, random))
        }
        return cases
    }

    private static func result(
        _ result: SendResult, _ name: JSON, _ retryAfter: Double?, _ attempts: Int, _ random: Double,
    ) -> JSON {
        let decision = RetryPolicy().decide(result, attempts: attempts, random: random) { _ in (0, "") }
        let outcome: [JSON] =
            switch decision {
            case .delivered: ["delivered", nil, nil]
            case .retry(let after, _, let isServerRequested): ["retry", .number(after), .boolean(isServerRequested)]
            case .refused(_, let isTooLarge): [isTooLarge ? "tooLarge" : "refused", nil, nil]
            }
        return .array([name, JSON(retryAfter), JSON(attempts), .number(random)] + outcome)
    }

    private static let causes: [(name: String, cause: FlushCause)] =
        [("scheduled", .scheduled), ("requested", .requested), ("critical", .critical)]
        + FlushTrigger.allCases.map { ($0.rawValue, .conditions($0)) }

    /// Steps `[name, arguments …, lowest priority for each cause, seconds until the next flush]`, of one server, which
    /// fails for all signals.
    private static func schedule(_ random: inout SeededGenerator) -> JSON {
        var now = 100.0
        var schedule = UploadSchedule(plan(&random).plan, to: nil, at: now)
        let server = schedule.server(of: .span)
        var steps: [JSON] = []
        for number in 0..<24 {
            var call: [JSON]
            // The first step is a plan, so that the one of the start does not matter.
            switch number == 0 ? 0 : Int.random(in: 0..<6, using: &random) {
            case 0:
                let next = plan(&random)
                schedule.plan = next.plan
                call = ["plan"] + next.json
            case 1:
                let wait = Double(Int.random(in: 1...80, using: &random))
                let isServerRequested = Bool.random(using: &random)
                _ = schedule.failed(
                    server, kind: .span, wait: wait, reason: "HTTP 503", isServerRequested: isServerRequested, at: now,
                )
                call = ["failed", .number(wait), .boolean(isServerRequested)]
            case 2:
                schedule.succeeded(.span)
                call = ["succeeded"]
            case 3:
                let (name, cause) = causes[Int.random(in: 0..<causes.count, using: &random)]
                schedule.recordFlush(cause, at: now)
                call = ["flush", .string(name)]
            default:
                let seconds = Double(Int.random(in: 1...40, using: &random))
                now += seconds
                call = ["advance", .number(seconds)]
            }
            let lowest = causes.map { schedule.permission(for: $0.cause, at: now)?.lowest.rawValue ?? -1 }
            call += [JSON(lowest), .number(schedule.wait(at: now)), JSON(schedule.failures(of: server))]
            steps.append(.array(call))
        }
        return .array(steps)
    }

    private static func plan(_ random: inout SeededGenerator) -> (plan: DeliveryPlan, json: [JSON]) {
        let strategy = UploadStrategy.allCases[Int.random(in: 0..<4, using: &random)]
        let canSend = Int.random(in: 0..<4, using: &random) > 0
        let interval = [15.0, 30, 60, 120][Int.random(in: 0..<4, using: &random)]
        return (
            DeliveryPlan(flushInterval: interval, upload: UploadPlan(strategy, canSend: canSend)),
            [.string(strategy.rawValue), .boolean(canSend), .number(interval)],
        )
    }
}
