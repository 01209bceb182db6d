package import AstrolabeTelemetryModel

/// A record that the app says it has made, independent of the SDK.
package struct NotedRecord: Hashable, Sendable {
    package var number: UInt64
    /// "span", "event", "error", "critical" or "debug".
    package var kind: String
    /// The virtual uptime when the app began to make it.
    package var uptime: Double
    /// True if the call that makes the record has returned. Otherwise the app ended during it, and it may exist or not.
    package var isMade: Bool
    /// The SDK's modes before and after.
    package var modes: Set<String>

    /// True if the SDK may have left it out because of its mode: see the Policy guide.
    var mayBeLeftOut: Bool {
        switch kind {
        case "span": modes.contains("minimal")
        case "debug": modes.contains("minimal") || modes.contains("reduced")
        default: false
        }
    }

    /// Reads the file that an app writes; its last line may be incomplete.
    package static func read(_ text: String) -> [NotedRecord] {
        var witnesses: [UInt64: NotedRecord] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 5, let number = UInt64(words[1]), let uptime = Double(words[3]) else { continue }
            var witness =
                witnesses[number]
                ?? NotedRecord(number: number, kind: String(words[2]), uptime: uptime, isMade: false, modes: [])
            if words[0] == "made" { witness.isMade = true }
            witness.modes.insert(String(words[4]))
            witnesses[number] = witness
        }
        return witnesses.values.sorted { $0.number < $1.number }
    }

    /// The number that a record carries as `witness.number`.
    package static func number(in attributes: Attributes) -> UInt64? {
        if case .int(let number)? = attributes["witness.number"] { UInt64(exactly: number) } else { nil }
    }

    /// The values of the gauge `witness.uptime`.
    package static func collections(in metric: MetricData) -> [Double] {
        guard metric.name == "witness.uptime", case .gauge(let points) = metric.data else { return [] }
        return points.map(\.value.doubleValue)
    }
}

/// The fate of each record that an app made, by its witness, the collector and the console.
package struct Account: Hashable, Sendable {
    /// Records whose making had returned, and that did not arrive and that no mode left out.
    package var lost: [NotedRecord] = []
    /// Records that the console shows more than once.
    package var repeated: [UInt64] = []
    /// Records that no app began to make.
    package var invented: [UInt64] = []
    /// Critical records that came after a request of less urgent records that had begun to be sent later.
    package var late: [NotedRecord] = []
    /// Records that the app's mode left out.
    package var leftOut = 0
    /// Records whose making had not returned when the app ended, and of those the ones that arrived.
    package var inDoubt = 0
    package var inDoubtDelivered = 0
    package var delivered = 0
    package var witnessed = 0

    /// - Parameters:
    ///   - shown: How often the console shows each number.
    ///   - arrivals: What the collector took, in order.
    package init(_ witnesses: [NotedRecord], shown: [UInt64: Int], arrivals: [CollectorGate.Arrival]) {
        witnessed = witnesses.count
        for witness in witnesses {
            let isShown = shown[witness.number] != nil
            if isShown { delivered += 1 }
            if !witness.isMade {
                inDoubt += 1
                if isShown { inDoubtDelivered += 1 }
            } else if !isShown {
                if witness.mayBeLeftOut { leftOut += 1 } else { lost.append(witness) }
            }
        }
        let known = Set(witnesses.map(\.number))
        repeated = shown.filter { $0.value > 1 }.keys.sorted()
        invented = shown.keys.filter { !known.contains($0) }.sorted()
        late = Self.late(witnesses, arrivals)
    }

    /// A critical record goes before all that is less urgent, also after an outage.
    private static func late(_ witnesses: [NotedRecord], _ arrivals: [CollectorGate.Arrival]) -> [NotedRecord] {
        let critical = witnesses.filter { $0.kind == "critical" && $0.isMade }
        var first: [UInt64: Int] = [:]
        for (index, arrival) in arrivals.enumerated() {
            for number in arrival.numbers where first[number] == nil { first[number] = index }
        }
        return critical.filter { witness in
            guard let own = first[witness.number] else { return false }
            let numbers = Set(critical.map(\.number))
            // A request that had begun before the record was made is not overtaken. It takes less than a minute.
            return arrivals[..<own].contains { arrival in
                arrival.uptime > witness.uptime + 60 && !arrival.numbers.isEmpty
                    && numbers.isDisjoint(with: arrival.numbers)
            }
        }
    }

    package var isGood: Bool { lost.isEmpty && repeated.isEmpty && invented.isEmpty && late.isEmpty }
}

extension Account: CustomStringConvertible {
    package var description: String {
        var lines = [
            """
            \(witnessed) records of the app: \(delivered) delivered, \(leftOut) left out by the mode. \
            \(lost.count) lost, \(repeated.count) shown twice, \(invented.count) invented, \
            \(late.count) critical ones late. The app ended during \(inDoubt) calls, \(inDoubtDelivered) of whose records arrived.
            """
        ]
        lines += lost.prefix(10).map { "  lost: number \($0.number), \($0.kind), at \(Self.clock($0.uptime))" }
        lines += repeated.prefix(10).map { "  shown twice: number \($0)" }
        lines += late.prefix(10).map { "  late: number \($0.number), made at \(Self.clock($0.uptime))" }
        return lines.joined(separator: "\n")
    }

    /// Hours, minutes and seconds.
    static func clock(_ seconds: Double) -> String {
        let whole = Int(seconds)
        let parts = [whole / 3_600, whole / 60 % 60, whole % 60]
        return parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}
