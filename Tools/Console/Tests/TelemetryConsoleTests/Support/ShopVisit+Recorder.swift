import BrowserKit

extension ShopVisit {
    /// Makes the visit one that was chosen by chance.
    ///
    /// - Parameter threshold: That of the decision, such as `c` for one session in four.
    mutating func sample(threshold: String) {
        for index in phoneSpans.indices { phoneSpans[index].traceState = "ot=th:\(threshold)" }
    }

    /// Makes the visit one that was sampled out, and that the flight recorder sent.
    ///
    /// - Parameters:
    ///   - overwritten: The milliseconds from the start whose spans the ring had overwritten.
    ///   - more: Attributes of the event about the promotion, such as what a budget refused.
    mutating func promote(by trigger: String, overwritten: UInt64 = 0, _ more: Attributes = []) {
        let marks: Attributes = [
            ("astrolabe.recorder.trigger", .string(trigger)), ("astrolabe.recorder.id", .string("p-\(session)")),
        ]
        phoneSpans.removeAll { $0.start < start + overwritten * 1_000_000 }
        for index in phoneSpans.indices { phoneSpans[index].attributes += marks }
        event(
            "astrolabe.recorder.promotion",
            marks + [("astrolabe.recorder.records", .integer(phoneSpans.count))] + more)
    }
}
