import ConsoleModel
import TelemetryQuery

extension JSONText {
    /// Appends the patterns of log records. Times are microseconds since 1970.
    mutating func append(_ answer: QuerySource.Reply<Query, LogPatterns>) {
        object { text in
            text.member("query", answer.question.description)
            text.append(boundsOf: answer.result.window)
            text.member("patterns") { $0.array(answer.result.patterns) { $0.append($1) } }
            text.member("patternCount", answer.result.patternCount)
            text.member("matchedRecords", answer.result.matchedRecords)
            text.member("warnings") { $0.array(answer.warnings) { $0.append($1) } }
        }
    }

    private mutating func append(_ pattern: LogPatterns.Pattern) {
        object { text in
            text.member("text", pattern.text)
            text.member("count", pattern.count)
            if let severity = pattern.severity { text.member("severity", severity) }
            text.member("services") { $0.array(pattern.services) { $0.append($1) } }
            text.member("firstUs", pattern.first / 1_000)
            text.member("lastUs", pattern.last / 1_000)
            text.member("examples") { $0.array(pattern.examples) { $0.append($1) } }
        }
    }

    private mutating func append(_ example: LogPatterns.Example) {
        object { text in
            text.member("timeUs", example.time / 1_000)
            text.member("text", String(example.text.prefix(2_000)))
            text.member(optional: "service", example.service)
            text.member(optional: "session", example.session)
            text.member(optional: "trace", example.trace)
            text.member(optional: "span", example.span)
        }
    }
}
