import ConsoleModel
import Foundation
import TelemetryQuery

extension JSONText {
    /// Appends a funnel. Times are microseconds since 1970, durations nanoseconds.
    mutating func append(_ answer: QuerySource.Reply<FunnelQuery, FunnelResult>) throws {
        let result = answer.result
        let question = try Self.text(of: answer.question)
        object { text in
            text.member("question") { $0.append(json: question) }
            text.append(boundsOf: result.window)
            text.member("steps") { text in
                text.array(result.steps.indices) { text, index in
                    text.object { text in
                        text.member("name", answer.question.steps[index].name)
                        text.appendNumbers(of: index, in: result.steps)
                        text.member("reached") { $0.append(result.examples[index].reached) }
                        text.member("dropped") { $0.append(result.examples[index].dropped) }
                    }
                }
            }
            text.member("groups") { text in
                text.array(result.groups) { text, group in
                    text.object { text in
                        text.member("value") { $0.append(group.value) }
                        if group.isOther { text.member("other", true) }
                        text.member("steps") { text in
                            text.array(group.steps.indices) { text, index in
                                text.object { $0.appendNumbers(of: index, in: group.steps) }
                            }
                        }
                    }
                }
            }
            text.member("unlinkedRecords", result.unlinkedRecords)
            text.member("warnings") { $0.array(answer.warnings) { $0.append($1) } }
        }
    }

    private mutating func appendNumbers(of index: Int, in steps: [FunnelStepResult]) {
        let step = steps[index]
        let before = index == 0 ? step.reached : steps[index - 1].reached
        func share(of whole: Int) -> Double? { whole == 0 ? nil : Double(step.reached) / Double(whole) }
        member("count", step.reached)
        member("ofFirst") { $0.append(share: share(of: steps[0].reached)) }
        member("ofPrevious") { $0.append(share: share(of: before)) }
        member("lost", before - step.reached)
        if let p50 = step.p50, let p90 = step.p90 {
            member("p50Ns", p50)
            member("p90Ns", p90)
        }
    }

    private mutating func append(share: Double?) {
        if let share { append(result: share) } else { append(raw: "null") }
    }

    private mutating func append(_ examples: [JourneyExample]) {
        array(examples) { text, example in
            text.object { text in
                text.member("key") { $0.append(example.key) }
                text.member(optional: "session", example.session)
                text.member(optional: "trace", example.trace)
                text.member("timeUs", example.time / 1_000)
            }
        }
    }

    /// Appends a flow. Times are microseconds since 1970. The value of the rest is null.
    mutating func append(_ answer: QuerySource.Reply<FlowQuery, FlowResult>) throws {
        let result = answer.result
        let question = try Self.text(of: answer.question)
        object { text in
            text.member("question") { $0.append(json: question) }
            text.append(boundsOf: result.window)
            text.member("paths", result.paths)
            text.member("nodes") { text in
                text.array(result.nodes) { text, node in
                    text.object { text in
                        text.member("depth", node.depth)
                        text.member("value") { $0.append(node.value) }
                        text.member("count", node.count)
                        text.member("ended", node.ended)
                    }
                }
            }
            text.member("links") { text in
                text.array(result.links) { text, link in
                    text.object { text in
                        text.member("depth", link.depth)
                        text.member("from") { $0.append(link.from) }
                        text.member("to") { $0.append(link.to) }
                        text.member("count", link.count)
                        text.member("examples") { $0.append(link.examples) }
                    }
                }
            }
            text.member("otherValues", result.otherValues)
            text.member("unlinkedRecords", result.unlinkedRecords)
            text.member("warnings") { $0.array(answer.warnings) { $0.append($1) } }
        }
    }

    /// Appends a map of services. Times are microseconds since 1970, durations nanoseconds.
    mutating func append(_ answer: QuerySource.Reply<TimeRange, ServiceMap>) {
        let map = answer.result
        object { text in
            text.append(boundsOf: map.window)
            text.member("nodes") { text in
                text.array(map.nodes) { text, node in
                    text.object { text in
                        text.member("name", node.name)
                        text.member("kind", node.kind.rawValue)
                        text.member("handled") { $0.append(node.handled) }
                        text.member("made") { $0.append(node.made) }
                    }
                }
            }
            text.member("edges") { text in
                text.array(map.edges) { text, edge in
                    text.object { text in
                        text.member("from", edge.from)
                        text.member("to", edge.to)
                        text.member("toKind", edge.toKind.rawValue)
                        text.member("calls") { $0.append(edge.calls) }
                    }
                }
            }
            text.member("spansWithoutCaller", map.spansWithoutCaller)
            text.member("warnings") { $0.array(answer.warnings) { $0.append($1) } }
        }
    }

    private mutating func append(_ numbers: CallNumbers) {
        object { text in
            text.member("count") { $0.append(result: numbers.count) }
            text.member("errors") { $0.append(result: numbers.errors) }
            if let p99 = numbers.p99 { text.member("p99Ns") { $0.append(result: p99) } }
        }
    }

    private static func text(of question: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(question), as: UTF8.self)
    }
}
