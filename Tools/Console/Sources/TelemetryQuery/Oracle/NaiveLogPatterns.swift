/// Folds log records one by one. It defines what is right.
package struct NaiveLogPatterns {
    package static func evaluate(
        _ plan: QueryPlan, over records: [QueryRecord], related: (any RelatedRecords)? = nil,
    ) -> LogPatterns {
        let evaluator = NaiveEvaluator(plan: plan, related: related)
        let matched = records.filter { plan.window.contains($0.time) && evaluator.holds(plan.condition, for: $0) }
        let groups: [String: [QueryRecord]] = Dictionary(grouping: matched) { record in
            let message = evaluator.value(of: LogPatterns.message, in: record)
            return message.text.map(LogPattern.of) ?? ""
        }
        let patterns = groups.map { text, records in pattern(text, records) }
        let ranked = patterns.sorted { $0.count != $1.count ? $0.count > $1.count : $0.text < $1.text }
        return LogPatterns(
            window: plan.window, patterns: Array(ranked.prefix(LogPatterns.limit)), matchedRecords: matched.count,
            patternCount: patterns.count, )
    }

    private static func pattern(_ text: String, _ records: [QueryRecord]) -> LogPatterns.Pattern {
        let severities: [Int64] = records.compactMap { record in
            record.value(ofField: "severity", in: .events).number.flatMap { Int64(exactly: $0) }
        }
        let services: [String] = records.compactMap { $0.value(ofField: "service.name", in: .events).text }
        // The sort is stable.
        let newest = records.sorted { $0.time > $1.time }.prefix(LogPatterns.examples)
        return LogPatterns.Pattern(
            text: text, count: records.count, severity: severities.max(), services: Set(services).sorted(),
            first: records.map(\.time).min() ?? 0, last: records.map(\.time).max() ?? 0,
            examples: newest.map { LogPatterns.Example($0) }, )
    }
}
