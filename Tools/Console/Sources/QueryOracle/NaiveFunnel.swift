package import TelemetryQuery

/// Evaluates a funnel by trying every attempt of every journey. It defines what is right.
package struct NaiveFunnel {
    private struct Step {
        let record: QueryRecord
        let values: NaiveValues
        let steps: [Bool]
        let place: Int
    }

    /// - Parameters:
    ///   - sources: The datasets with their records, in the order of their arrival.
    package static func evaluate(
        _ query: FunnelQuery, now: Int64, over sources: [(dataset: Dataset, records: [QueryRecord])],
        related: (any RelatedRecords)? = nil,
    ) throws(QueryError) -> FunnelResult {
        let window = try query.window(now: now)
        var journeys: [QueryValue: [Step]] = [:]
        var unlinked = 0
        var place = 0
        for (dataset, records) in sources {
            let values = NaiveValues(dataset: dataset, related: related)
            for record in records {
                place += 1
                let steps = query.steps.map { step in
                    (step.dataset == nil || step.dataset == dataset) && values.holds(query.condition, for: record)
                        && values.holds(step.condition, for: record)
                }
                guard window.contains(record.time), steps.contains(true) else { continue }
                let key = values.value(of: query.key, in: record)
                if key.isMissing {
                    unlinked += 1
                } else {
                    journeys[key, default: []].append(
                        Step(record: record, values: values, steps: steps, place: place))
                }
            }
        }
        var attempts: [(key: QueryValue, steps: [Step])] = []
        for (key, steps) in journeys {
            if let attempt = furthestAttempt(of: steps, query) { attempts.append((key, attempt)) }
        }
        func example(_ key: QueryValue, _ step: Step) -> JourneyExample {
            JourneyExample(
                key: key, session: step.values.text("session.id", in: step.record),
                trace: step.values.text("trace.id", in: step.record), time: step.record.time)
        }
        func newest(_ examples: [JourneyExample]) -> [JourneyExample] {
            Array(
                examples.sorted { $0.time != $1.time ? $0.time > $1.time : $0.key < $1.key }
                    .prefix(FunnelExamples.limit))
        }
        let examples = query.steps.indices.map { step in
            FunnelExamples(
                reached: newest(attempts.filter { $0.steps.count > step }.map { example($0.key, $0.steps[step]) }),
                dropped: newest(
                    attempts.filter { $0.steps.count == step + 1 && $0.steps.count < query.steps.count }
                        .map { example($0.key, $0.steps[step]) }))
        }
        return FunnelResult(
            window: window, steps: results(of: attempts.map(\.steps), query),
            groups: query.group.map { group in
                groups(
                    Dictionary(grouping: attempts) { $0.steps[0].values.value(of: group, in: $0.steps[0].record) }
                        .mapValues { $0.map(\.steps) }, query)
            } ?? [], examples: examples, unlinkedRecords: unlinked)
    }

    /// The first of the attempts that reach the most steps.
    private static func furthestAttempt(of all: [Step], _ query: FunnelQuery) -> [Step]? {
        let journey = all.sorted { left, right in
            if left.record.time != right.record.time { return left.record.time < right.record.time }
            let (one, other) = (number(left.steps), number(right.steps))
            return one != other ? one < other : left.place < right.place
        }
        var attempts: [[Int]] = []
        for start in journey.indices where journey[start].steps[0] {
            var attempt = [start]
            for step in query.steps.indices.dropFirst() {
                let next = journey.indices.first { $0 > attempt[step - 1] && journey[$0].steps[step] }
                guard let next, journey[next].record.time - journey[start].record.time <= query.bound else { break }
                attempt.append(next)
            }
            attempts.append(attempt)
        }
        let furthest = attempts.map(\.count).max() ?? 0
        return attempts.first { $0.count == furthest }?.map { journey[$0] }
    }

    private static func number(_ steps: [Bool]) -> Int {
        steps.enumerated().reduce(0) { $0 + ($1.element ? 1 << $1.offset : 0) }
    }

    private static func results(of attempts: [[Step]], _ query: FunnelQuery) -> [FunnelStepResult] {
        query.steps.indices.map { step in
            let reached = attempts.filter { $0.count > step }
            let times = step == 0 ? [] : reached.map { $0[step].record.time - $0[step - 1].record.time }
            var result = FunnelStepResult()
            result.reached = reached.count
            result.p50 = quantile(0.5, of: times)
            result.p90 = quantile(0.9, of: times)
            return result
        }
    }

    /// The smallest time at or below which a share of them lies.
    private static func quantile(_ share: Double, of times: [Int64]) -> Int64? {
        times.sorted().first { time in
            Double(times.count { $0 <= time }) >= share * Double(times.count)
        }
    }

    private static func groups(_ attempts: [QueryValue: [[Step]]], _ query: FunnelQuery) -> [FunnelGroup] {
        let ranked = attempts.sorted { left, right in
            left.value.count != right.value.count ? left.value.count > right.value.count : left.key < right.key
        }
        var groups = ranked.prefix(FunnelQuery.groupLimit).map {
            FunnelGroup(value: $0.key, isOther: false, steps: results(of: $0.value, query))
        }
        let rest = ranked.dropFirst(FunnelQuery.groupLimit)
        if !rest.isEmpty {
            groups.append(
                FunnelGroup(value: .missing, isOther: true, steps: results(of: rest.flatMap(\.value), query)))
        }
        return groups
    }
}
