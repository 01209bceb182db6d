import AstrolabePlatform
import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

@Suite struct SpanConcurrencyTests {
    @Test func `threads that set attributes of one span lose none, and the last of each thread wins`() throws {
        var limits = RecordLimits()
        limits.attributeCount = 1_000
        limits.eventCount = 10_000
        let recorder = Recorder(limits: limits)
        let span = recorder.tracer.spanBuilder("shared").startSpan()
        onThreads(6) { thread in
            for round in 1...400 {
                span.setAttribute("thread.\(thread)", round)
                span.setAttribute("text.\(thread)", "round \(round)")
                if round % 40 == 0 { span.addEvent("thread \(thread)", attributes: ["round": Int64(round)]) }
            }
        }
        span.end()

        let data = try recorder.span
        for thread in 0..<6 {
            #expect(data.attributes["thread.\(thread)"] == 400)
            #expect(data.attributes["text.\(thread)"] == "round 400")
            let rounds = data.events.filter { $0.name == "thread \(thread)" }.map { $0.attributes["round"]?.intValue }
            #expect(rounds == (1...10).map { Int64($0 * 40) })
        }
        #expect(data.attributes.count == 12)
        #expect(data.droppedAttributesCount == 0)
    }

    @Test func `of many threads that end a span one does`() throws {
        let recorder = Recorder()
        let spans = (0..<200).map { recorder.tracer.spanBuilder("shared \($0)").startSpan() }
        onThreads(4) { thread in
            for span in spans {
                span.setAttribute("thread.\(thread)", true)
                span.end()
                span.setAttribute("late", true)
                #expect(!span.isRecording)
            }
        }
        let recorded = try recorder.spans
        #expect(Set(recorded.map(\.context.spanID)).count == 200)
        #expect(recorded.count == 200)
        #expect(recorded.allSatisfy { $0.attributes["late"] == nil && !$0.attributes.isEmpty })
    }

    @Test func `what a thread sets before it ends a span is on the record, whoever else is at it`() throws {
        let recorder = Recorder()
        let spans = (0..<500).map { recorder.tracer.spanBuilder("shared \($0)").startSpan() }
        onThreads(2) { thread in
            for (index, span) in spans.enumerated() {
                if thread == 0 {
                    for _ in 0..<10 { span.setAttribute("noise", index) }
                } else {
                    span.setAttribute("first", "a")
                    span.setAttribute("second", 2)
                    span.end()
                }
            }
        }
        #expect(try recorder.spans.allSatisfy { $0.attributes["first"] == "a" && $0.attributes["second"] == 2 })
        #expect(try recorder.spans.count == 500)
    }

    @Test func `spans that start and end on many threads are all recorded, and none twice`() throws {
        let recorder = Recorder()
        onThreads(4) { thread in
            for index in 0..<500 {
                recorder.tracer.withSpan("thread \(thread)") { outer in
                    outer.setAttribute("index", index)
                    recorder.tracer.withSpan("inner") { _ in }
                }
            }
        }
        let spans = try recorder.spans
        #expect(spans.count == 4_000)
        #expect(Set(spans.map(\.context.spanID)).count == 4_000)
        #expect(Set(spans.map(\.context.traceID)).count == 2_000)
    }

    @Test func `ambient attributes change while spans start: each has one state whole`() throws {
        let recorder = Recorder(ambient: ["a": 0, "b": 0])
        onThreads(3) { thread in
            for index in 1...500 {
                if thread == 0 {
                    recorder.core.ambient.update { attributes in
                        attributes["a"] = .int(Int64(index))
                        attributes["b"] = .int(Int64(index))
                    }
                } else {
                    recorder.tracer.spanBuilder("any").startSpan().end()
                }
            }
        }
        #expect(try recorder.spans.allSatisfy { $0.attributes["a"] == $0.attributes["b"] })
        #expect(recorder.core.ambient.snapshot.attributes["a"] == 500)
    }

    @Test func `ambient attributes that threads change at once are all kept`() {
        let ambient = AmbientAttributes()
        onThreads(4) { thread in
            for index in 0..<100 { ambient.set("\(thread).\(index)", to: .int(Int64(index))) }
        }
        #expect(ambient.snapshot.attributes.count == 400)
    }
}
