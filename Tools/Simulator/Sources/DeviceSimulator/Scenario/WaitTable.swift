/// The time that records waited until the collector had them, in each hour of virtual time.
package struct WaitTable: Hashable, Sendable {
    package struct Hour: Hashable, Sendable {
        /// The longest waits in seconds, by kind. That of metrics is the age of the newest value that had arrived.
        package var longest: [String: Double] = [:]
        /// The number of collections of metrics, as far as they have arrived.
        package var collections = 0
    }

    package private(set) var hours: [Hour] = []

    private static let metric = "metric"
    private static let kinds = ["span", "event", "debug", "error", "critical", metric]

    /// - Parameters:
    ///   - arrivals: What the collector took, in order.
    ///   - start: What arrived before this uptime is left out.
    ///   - end: The uptime of now, for what still waits.
    package init(_ witnesses: [NotedRecord], arrivals: [CollectorGate.Arrival], from start: Double = 0, to end: Double)
    {
        var waiting: [UInt64: NotedRecord] = [:]
        for witness in witnesses { waiting[witness.number] = witness }
        var collected: Double?
        for arrival in arrivals {
            guard let time = arrival.appUptime else { continue }
            for number in arrival.numbers {
                guard let witness = waiting.removeValue(forKey: number), time >= start else { continue }
                note(witness.kind, time - witness.uptime, at: time)
            }
            for uptime in arrival.collections.sorted() where uptime > collected ?? -.infinity {
                if time >= start {
                    note(Self.metric, time - max(collected ?? uptime, start), at: time)
                    hours[Self.hour(of: time)].collections += 1
                }
                collected = uptime
            }
        }
        for witness in waiting.values where witness.isMade && !witness.mayBeLeftOut {
            note(witness.kind, end - witness.uptime, at: end)
        }
        guard arrivals.contains(where: { $0.appUptime != nil }) else { return }
        note(Self.metric, end - max(collected ?? start, start), at: end)
    }

    private static func hour(of uptime: Double) -> Int { max(0, Int(uptime / 3_600)) }

    private mutating func note(_ kind: String, _ wait: Double, at time: Double) {
        let hour = Self.hour(of: time)
        while hours.count <= hour { hours.append(Hour()) }
        hours[hour].longest[kind] = max(hours[hour].longest[kind] ?? 0, wait)
    }

    /// The kind whose records waited longest, and the seconds; `nil` if there were none.
    package var longest: (kind: String, seconds: Double)? {
        let waits = hours.flatMap { $0.longest.map { (kind: $0.key, seconds: $0.value) } }
        return waits.max { ($0.seconds, $0.kind) < ($1.seconds, $1.kind) }
    }
}

extension WaitTable: CustomStringConvertible {
    package var description: String {
        var lines = [["hour"] + Self.kinds + ["collections"]]
        for (index, hour) in hours.enumerated() where !hour.longest.isEmpty {
            let waits = Self.kinds.map { kind in hour.longest[kind].map(Self.seconds) ?? "-" }
            lines.append(["\(index + 1)"] + waits + ["\(hour.collections)"])
        }
        let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        let rows = lines.map { line in
            zip(line, widths).map { String(repeating: " ", count: $1 - $0.count) + $0 }.joined(separator: "  ")
        }
        return (["Longest wait until a record arrived, in seconds"] + rows).joined(separator: "\n")
    }

    private static func seconds(_ seconds: Double) -> String { "\((seconds * 10).rounded() / 10)" }
}
