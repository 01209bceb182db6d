import AstrolabeTelemetryModel
import Foundation
import Testing

@testable import AstrolabeDelivery

/// The flight recorder of a server, which is asked for traces.
@Suite(.timeLimit(.minutes(5))) struct FlightRecorderTraceTests {
    private let collector = DecodingCollector()

    @Test func `a request sends the records of its trace, marked, once, and those of the next minute`() async throws {
        let run = try RecorderPhone().run()
        for trace in [UInt8(1), 2] {
            run.record("server", ofTrace: trace)
            run.event("line", ofTrace: trace)
        }
        run.record("of another trace", ofTrace: 3, linkedTo: 1)
        run.request("remote", id: "p-1", ofTrace: 1)
        let delivery = try run.delivery(to: collector) { $0.recorder.promotesTraces = true }
        await delivery.flush()
        run.advance(30)
        run.record("late", ofTrace: 1)
        await delivery.flush()
        #expect(collector.spans.map(\.name) == ["server", "late"])
        #expect(collector.spans.allSatisfy { $0.context.traceID == TraceID(repeating: 1) })
        #expect(collector.spans.allSatisfy { $0.attributes["astrolabe.recorder.trigger"] == "remote" })
        #expect(collector.events.map(\.eventName) == ["line"])
        #expect(collector.events.first?.attributes["astrolabe.recorder.id"] == "p-1")
        run.advance(31)
        await delivery.flush()
        #expect(collector.spans.count == 2 && collector.events.count == 2)
        #expect(collector.events.last?.traceID == TraceID(repeating: 1))
        #expect(collector.events.last?.attributes["astrolabe.recorder.records"] == 3)
        let ledger = await delivery.currentReport.ledger
        #expect(ledger.notSent == 3 && ledger.delivered == 4 && ledger.isBalanced)
    }

    @Test func `a request for a trace that the ring does not have ends without an event`() async throws {
        let run = try RecorderPhone().run()
        run.record("server", ofTrace: 1)
        run.request("remote", id: "p-1", ofTrace: 9)
        let delivery = try run.delivery(to: collector) { $0.recorder.promotesTraces = true }
        await delivery.flush()
        run.advance(61)
        await delivery.flush()
        #expect(collector.spans.isEmpty && collector.events.isEmpty)
        let ledger = await delivery.currentReport.ledger
        #expect(ledger.notSent == 2 && ledger.isBalanced)
    }

    @Test func `the next run performs a request that a kill has left`() async throws {
        let phone = RecorderPhone()
        let killed = try phone.run()
        killed.record("server", ofTrace: 1)
        killed.record("server", ofTrace: 2)
        killed.request("error", id: "p-1", ofTrace: 2)
        killed.end()
        let run = try phone.run()
        let delivery = try run.delivery(to: collector) { $0.recorder.promotesTraces = true }
        await delivery.flush()
        #expect(collector.spans.map(\.context.traceID) == [TraceID(repeating: 2)])
        #expect(await delivery.currentReport.ledger.isBalanced)
    }
}

extension TraceID {
    fileprivate init(repeating byte: UInt8) {
        let half = UInt64(byte) * 0x0101_0101_0101_0101
        self.init(high: half, low: half)
    }
}
