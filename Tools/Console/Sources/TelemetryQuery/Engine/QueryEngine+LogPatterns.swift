extension QueryEngine {
    /// Folds similar records: those whose messages differ in numbers, ids and quoted texts only.
    ///
    /// The records are those that fulfil the plan's condition in its window. The plan's calculations are not used.
    ///
    /// - Throws: `QueryError` if a limit is exceeded, or `CancellationError`.
    package func logPatterns(_ plan: QueryPlan, over segments: [Segment]) async throws -> LogPatterns {
        guard plan.query.clock == .event else {
            throw QueryError("Patterns say when their records happened. Leave out arriving.")
        }
        let window = plan.window
        let relevant = segments.filter { $0.minTime < window.end && $0.maxTime >= window.start }
        let turns = evaluationAdmission()
        var sums = PatternSums()
        for range in limits.turns(over: relevant.map(\.rowCount)) {
            try await turns.take { isOver in
                for number in range {
                    let scan = SegmentScan(
                        segment: relevant[number], dataset: .events, related: related, isOver: isOver)
                    sums.add(scan, number: number, plan: plan)
                }
            }
            guard sums.patterns.count <= LogPatterns.distinct else {
                throw QueryError(
                    "The records have more than \(LogPatterns.distinct) patterns. Ask for a shorter time, or narrow it "
                        + "with where.")
            }
        }
        return try await turns.take { [sums] _ in sums.result(window, relevant) }
    }
}

private struct PatternSums {
    struct Place: Hashable {
        let time: Int64
        let segment: Int
        let row: Int
    }

    struct Pattern {
        var count = 0
        var severity: Int64?
        var services: Set<String> = []
        var first = Int64.max
        var last = Int64.min
        var places: [Place] = []

        /// The newest places, the first of those at the same time.
        var newest: [Place] {
            let sorted = places.sorted { left, right in
                if left.time != right.time { return left.time > right.time }
                return left.segment != right.segment ? left.segment < right.segment : left.row < right.row
            }
            return Array(sorted.prefix(LogPatterns.examples))
        }
    }

    private(set) var patterns: [String: Pattern] = [:]

    mutating func add(_ scan: SegmentScan, number: Int, plan: QueryPlan) {
        let mask = plan.condition.map(scan.mask) ?? .all
        if case .none = mask { return }
        let times = scan.times
        let messages = scan.codes(of: LogPatterns.message)
        let severities = scan.numbers(of: .field("severity")).numbers
        let services = scan.codes(of: .field("service.name"))
        // The pattern of a message is made once, and the sums of a segment are found by a number.
        var known = [Int](repeating: -1, count: messages.values.count)
        var texts: [String] = []
        var found: [Pattern] = []
        var indexes: [String: Int] = [:]
        let rows = mask.rows() ?? (0..<Int32(scan.rowCount)).map { $0 }
        for row in rows.lazy.map(Int.init) where plan.window.contains(times[row]) {
            let code = Int(messages.codes[row])
            if known[code] < 0 {
                let text = messages.values[code].text.map(LogPattern.of) ?? ""
                known[code] = indexes[text] ?? found.count
                if known[code] == found.count {
                    indexes[text] = found.count
                    found.append(Pattern())
                    texts.append(text)
                }
            }
            found[known[code]].add(
                Place(time: times[row], segment: number, row: row), severity: severities[row],
                service: services.values[Int(services.codes[row])].text)
        }
        for (text, pattern) in zip(texts, found) { patterns[text, default: Pattern()].merge(pattern) }
    }

    func result(_ window: TimeWindow, _ segments: [Segment]) -> LogPatterns {
        let ranked = patterns.sorted { left, right in
            left.value.count != right.value.count ? left.value.count > right.value.count : left.key < right.key
        }
        return LogPatterns(
            window: window,
            patterns: ranked.prefix(LogPatterns.limit).map { text, pattern in
                LogPatterns.Pattern(
                    text: text, count: pattern.count, severity: pattern.severity, services: pattern.services.sorted(),
                    first: pattern.first, last: pattern.last,
                    examples: pattern.newest.map { place in
                        LogPatterns.Example(segments[place.segment].record(at: place.row))
                    })
            }, matchedRecords: patterns.values.reduce(0) { $0 + $1.count }, patternCount: patterns.count)
    }
}

extension PatternSums.Pattern {
    fileprivate mutating func add(_ place: PatternSums.Place, severity: Double, service: String?) {
        count += 1
        if !severity.isNaN, let number = Int64(exactly: severity) {
            self.severity = max(self.severity ?? number, number)
        }
        if let service { services.insert(service) }
        first = min(first, place.time)
        last = max(last, place.time)
        places.append(place)
        if places.count >= 16 * LogPatterns.examples { places = newest }
    }

    fileprivate mutating func merge(_ other: Self) {
        count += other.count
        severity = [severity, other.severity].compactMap(\.self).max()
        services.formUnion(other.services)
        first = min(first, other.first)
        last = max(last, other.last)
        places += other.places
        places = newest
    }
}

extension LogPatterns.Example {
    init(_ record: QueryRecord) {
        func text(_ field: String) -> String? { record.value(ofField: field, in: .events).text }
        self.init(
            time: record.time, text: text("body") ?? text("name") ?? "", service: text("service.name"),
            session: text("session.id"), trace: text("trace.id"), span: text("span.id"))
    }
}
