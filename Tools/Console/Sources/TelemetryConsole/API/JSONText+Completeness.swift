import ConsoleModel

extension JSONText {
    /// Appends the member `completeness`: the whole time, and each step of the series.
    ///
    /// - Parameter isAsOfNow: False for what had arrived by an earlier time, of which no text says that it has.
    mutating func append(_ completeness: WindowCompleteness, isAsOfNow: Bool = true) {
        member("completeness") { text in
            text.object { text in
                text.member("total") { text in
                    text.object { text in
                        text.append(membersOf: completeness.total)
                        text.member(optional: "text", isAsOfNow ? completeness.total.sentence : nil)
                    }
                }
                guard !completeness.steps.isEmpty else { return }
                text.member("steps") { text in
                    text.array(completeness.steps) { text, step in
                        if let step { text.object { $0.append(membersOf: step) } } else { text.append(raw: "null") }
                    }
                }
            }
        }
    }

    private mutating func append(membersOf bucket: BucketCompleteness) {
        member("share") { $0.append(result: (bucket.share * 10_000).rounded() / 10_000) }
        // Most steps are complete, and say no more.
        guard !bucket.isComplete || bucket.pending > 0 || bucket.dropped > 0 else { return }
        if bucket.isEstimated { member("estimated", true) }
        if bucket.isRunning { member("running", true) }
        member("pending", bucket.pending)
        member("holding", bucket.holding)
        member("dropped", bucket.dropped)
        member("silent", bucket.silent)
        if let active = bucket.active { member("active", active) }
        if let reported = bucket.reported { member("reported", reported) }
    }
}
