import AstrolabeRecording

/// An expectation about a trace that the flight recorder has promoted.
package struct PromotionExpectation: Hashable, Sendable {
    /// `astrolabe.recorder.trigger` of at least one of its spans.
    package var trigger: String
    /// The names of spans that the trace has, of whichever service.
    package var trace: [String]

    /// The triggers of the flight recorder.
    static let triggers = RecorderTrigger.allCases.map(\.rawValue)

    func holds(for traces: [[TracedSpan]]) -> Bool { missing(in: traces) == [] }

    /// The spans that the most complete one of the promoted traces lacks; `nil` if no trace was promoted.
    func missing(in traces: [[TracedSpan]]) -> [String]? {
        let promoted = traces.filter { spans in spans.contains { $0.trigger == trigger } }
        let missing = promoted.map { spans in
            trace.filter { name in !spans.contains { $0.name == name } }
        }
        return missing.min { $0.count < $1.count }
    }

    /// The text of a failure about the traces that arrived.
    func difference(from traces: [[TracedSpan]]) -> String {
        if let missing = missing(in: traces) {
            return "The promoted trace lacks \(missing.joined(separator: ", "))."
        }
        let others = Set(traces.flatMap { $0.compactMap(\.trigger) }).sorted()
        return others.isEmpty
            ? "The collector received no promoted span."
            : "The collector received spans that were promoted by \(others.joined(separator: ", "))."
    }
}

extension PromotionExpectation: CustomStringConvertible {
    package var description: String {
        "a trace that was promoted by \(trigger) with \(trace.joined(separator: ", "))"
    }
}

/// A span that the collector received, as part of its trace.
package struct TracedSpan: Hashable, Sendable {
    package var name: String
    /// `astrolabe.recorder.trigger`; `nil` if the flight recorder has not promoted it.
    package var trigger: String?

    package init(name: String, trigger: String?) {
        self.name = name
        self.trigger = trigger
    }
}
