import ConsoleModel

/// Keeps answers that sum up the whole store and take long, so that their pages open at once in a large store.
///
/// An answer that takes less than `cheap` is made for each request. A slower one is kept. While records arrive, it is
/// made again in the background, in at most a tenth of the time, and requests get the last one with its age. A request
/// waits for a new one if the last one is older than `longestAge` and than twenty times as long as it took to make.
actor ResponseCache {
    private struct Kept {
        var text: JSONText
        var cost: Duration
        /// The last record that had arrived when it was begun.
        var through: Int64
        var begun: ContinuousClock.Instant
    }

    private static let limit = 64

    private let cheap: Duration
    /// The least time that an answer is kept, as a multiple of the time that it took to make it.
    private let pause: Double
    /// The age up to which any answer is returned.
    private let longestAge: Duration
    private var kept: [String: Kept] = [:]
    private var running: [String: Remaking] = [:]

    private struct Remaking {
        var task: Task<JSONText, any Error>
        var sequence: Int64
        var begun: ContinuousClock.Instant
    }

    init(cheap: Duration = .milliseconds(20), pause: Double = 10, longestAge: Duration = .seconds(120)) {
        self.cheap = cheap
        self.pause = pause
        self.longestAge = longestAge
    }

    /// Returns an answer and the time since it was begun, which is zero if nothing has arrived since.
    ///
    /// - Parameters:
    ///   - key: What is asked.
    ///   - sequence: The last record that has arrived.
    func answer(
        _ key: String, at sequence: Int64, make: @escaping @Sendable () async throws -> JSONText,
    ) async throws -> (text: JSONText, age: Duration) {
        guard let last = kept[key], last.cost > cheap else {
            let current = running[key].flatMap { $0.sequence == sequence ? $0 : nil }
            return (try await (current ?? remake(key, at: sequence, make)).task.value, .zero)
        }
        guard last.through != sequence else { return (last.text, .zero) }
        let age = ContinuousClock.now - last.begun
        if age > last.cost * pause, running[key] == nil { _ = remake(key, at: sequence, make) }
        guard age > max(longestAge, last.cost * (2 * pause)) else { return (last.text, age) }
        let next = running[key] ?? remake(key, at: sequence, make)
        let text = try await next.task.value
        return (text, next.sequence == sequence ? .zero : ContinuousClock.now - next.begun)
    }

    /// The answer is also made for others, so it is not cancelled with the request.
    ///
    /// The task settles what is kept before it ends, so that a caller that waited never meets it again.
    private func remake(
        _ key: String, at sequence: Int64, _ make: @escaping @Sendable () async throws -> JSONText,
    ) -> Remaking {
        let begun = ContinuousClock.now
        let task = Task {
            // At most one task runs for a key and a sequence.
            defer { if running[key]?.sequence == sequence { running[key] = nil } }
            let text = try await make()
            keep(Kept(text: text, cost: ContinuousClock.now - begun, through: sequence, begun: begun), as: key)
            return text
        }
        let remaking = Remaking(task: task, sequence: sequence, begun: begun)
        running[key] = remaking
        return remaking
    }

    private func keep(_ answer: Kept, as key: String) {
        guard answer.cost > cheap else { return }
        if kept[key] == nil, kept.count >= Self.limit { kept.removeAll() }
        if kept[key].map({ $0.through <= answer.through }) ?? true { kept[key] = answer }
    }
}
