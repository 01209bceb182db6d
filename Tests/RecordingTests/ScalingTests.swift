import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import AstrolabeWire
import Foundation
import Testing

@testable import AstrolabeRecording

/// Costs that grow in proportion to what there is to do, and not with its square.
@Suite struct `Work in proportion` {
    /// Twenty times as much takes 20 times as long if it is linear, and 400 times if it is quadratic.
    private func expectProportion(
        _ name: String, sourceLocation: SourceLocation = #_sourceLocation, _ work: (_ count: Int) -> Double,
    ) {
        let excess = excess(of: { work(10_000) }, over: { work(500) }, limit: 100)
        #expect(excess == nil, "\(name)", sourceLocation: sourceLocation)
    }

    private func entries(_ count: Int, first: Int = 0) -> [String: AttributeValue] {
        let numbers = first..<first + count
        return Dictionary(uniqueKeysWithValues: numbers.map { ("demo.item.\($0)", AttributeValue.int(Int64($0))) })
    }

    @Test func `attributes of a dictionary`() {
        expectProportion("dictionary") { count in
            let entries = self.entries(count)
            var made = 0
            let seconds = cpuSeconds { made = Attributes(entries).count }
            #expect(made == count)
            return seconds
        }
    }

    @Test func `two sets of attributes that become one`() {
        expectProportion("merge") { count in
            let (left, right) = (Attributes(entries(count)), Attributes(entries(count, first: count / 2)))
            var made = 0
            let seconds = cpuSeconds { made = left.merging(right).count }
            #expect(made == count + count / 2)
            return seconds
        }
    }

    @Test func `attributes that are redacted and read back`() {
        expectProportion("redaction") { count in
            let value = AttributeValue.map(Attributes(entries(count)))
            var bytes = [UInt8](repeating: 0, count: value.wireSize)
            bytes.withUnsafeMutableBytes { memory in
                guard let base = memory.baseAddress else { return }
                var writer = WireWriter(base)
                value.write(to: &writer)
            }
            var read = 0
            let seconds = cpuSeconds {
                guard case .map(let map)? = bytes.withUnsafeBytes({ AttributeValue(wire: $0) }) else { return }
                read = Redactor().redacted(map).count
            }
            #expect(read == count)
            return seconds
        }
    }

    @Test func `merged attributes keep their places, and the later value wins`() {
        let left = Attributes(uniqueElements: (0..<100).map { Attributes.Element(key: "\($0)", value: "left") })
        let right = Attributes(uniqueElements: (50..<150).map { Attributes.Element(key: "\($0)", value: "right") })
        let merged = left.merging(right)
        #expect(merged.map(\.key) == (0..<150).map { "\($0)" })
        #expect(merged.filter { $0.value == "left" }.count == 50)
        let twice = Array(left) + Array(right) + Array(left)
        #expect(Attributes(elements: twice).map(\.key) == merged.map(\.key))
        #expect(Attributes(elements: twice).filter { $0.value == "right" }.count == 50)
    }

    @Test func `spans inside one another, as deep as they are`() {
        let recorder = Recorder()
        let tracer = recorder.tracer
        @Sendable func nest(_ depth: Int) {
            tracer.withSpan("level") { _ in if depth > 1 { nest(depth - 1) } }
        }
        let found = Locked<String?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        let thread = Thread {
            // 5,000 spans each: all of them inside one another, and in groups of 20.
            let excess = excess(
                of: { cpuSeconds { nest(5_000) } }, over: { cpuSeconds { for _ in 0..<250 { nest(20) } } }, limit: 3)
            found.withLock { $0 = excess }
            isDone.signal()
        }
        thread.stackSize = 512 << 20
        thread.start()
        isDone.wait()
        #expect(found.withLock { $0 } == nil)
        #expect(recorder.headers.count >= 20_000 && recorder.headers.count.isMultiple(of: 5_000))
    }

    @Test func `a span as deep as this one has the right parent, also in tasks and with baggage`() async throws {
        let recorder = Recorder()
        @Sendable func nest(_ depth: Int) async {
            await recorder.tracer.withSpan("\(depth)") { span in
                #expect(TelemetryContext.current.span?.context.spanID == span.context.spanID)
                guard depth < 30 else { return }
                if depth == 11 {
                    var baggage = Baggage()
                    baggage["plan"] = "gold"
                    await TelemetryContext.withBaggage(baggage) { await nest(depth + 1) }
                } else if depth % 3 == 0 {
                    await Task { await nest(depth + 1) }.value
                } else {
                    await nest(depth + 1)
                }
                #expect(TelemetryContext.current.baggage["plan"] == (depth > 11 ? "gold" : nil))
                #expect(TelemetryContext.current.span?.context.spanID == span.context.spanID)
            }
        }
        await nest(0)
        let spans = try Dictionary(uniqueKeysWithValues: recorder.spans.map { ($0.name, $0) })
        for depth in 1...30 {
            #expect(spans["\(depth)"]?.parentSpanID == spans["\(depth - 1)"]?.context.spanID)
        }
    }
}
