package import TelemetryQuery

/// Folds log records one by one. It defines what is right.
package struct NaiveLogPatterns {
    package static func evaluate(
        _ plan: QueryPlan, over records: [QueryRecord], related: (any RelatedRecords)? = nil,
    ) -> LogPatterns {
        let values = NaiveValues(dataset: .events, derived: plan.query.derived, related: related)
        let matched = records.filter { plan.window.contains($0.time) && values.holds(plan.query.condition, for: $0) }
        let groups: [String: [QueryRecord]] = Dictionary(grouping: matched) { record in
            (values.text("body", in: record) ?? values.text("name", in: record)).map(LogPattern.of) ?? ""
        }
        let patterns = groups.map { text, records in pattern(text, records, values) }
        let ranked = patterns.sorted { $0.count != $1.count ? $0.count > $1.count : $0.text < $1.text }
        return LogPatterns(
            window: plan.window, patterns: Array(ranked.prefix(LogPatterns.limit)), matchedRecords: matched.count,
            patternCount: patterns.count)
    }

    private static func pattern(
        _ text: String, _ records: [QueryRecord], _ values: NaiveValues,
    ) -> LogPatterns.Pattern {
        let severities: [Int64] = records.compactMap { record in
            values.number(ofColumnsOf: "severity", in: record).flatMap { Int64(exactly: $0) }
        }
        let services: [String] = records.compactMap { values.text("service.name", in: $0) }
        // The sort is stable.
        let newest = records.sorted { $0.time > $1.time }.prefix(LogPatterns.examples)
        return LogPatterns.Pattern(
            text: text, count: records.count, severity: severities.max(), services: Set(services).sorted(),
            first: records.map(\.time).min() ?? 0, last: records.map(\.time).max() ?? 0,
            examples: newest.map { record in
                func text(_ name: String) -> String? { values.text(name, in: record) }
                return LogPatterns.Example(
                    time: record.time, text: text("body") ?? text("name") ?? "", service: text("service.name"),
                    session: text("session.id"), trace: text("trace.id"), span: text("span.id"))
            })
    }
}
