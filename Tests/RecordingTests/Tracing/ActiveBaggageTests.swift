import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

extension ProcessWideState {
    @Suite struct ActiveBaggageTests {
        private func baggage(_ value: String) -> Baggage {
            var baggage = Baggage()
            baggage["cart"] = value
            return baggage
        }

        @Test func `counts until it is removed, in the task that made it active`() async {
            let first = baggage("1").activate()
            let second = baggage("2").activate()
            #expect(TelemetryContext.current.baggage["cart"] == "2")
            let other = await Task.detached { TelemetryContext.current.baggage["cart"] }.value
            #expect(other == nil)
            Baggage.deactivate(second)
            #expect(TelemetryContext.current.baggage["cart"] == "1")
            Baggage.deactivate(first)
            #expect(TelemetryContext.current.baggage.names.isEmpty)
        }

        @Test func `goes beside a span that is active`() {
            let recorder = Recorder()
            let number = baggage("1").activate()
            let span = recorder.tracer.spanBuilder("root").startSpan().activated()
            #expect(TelemetryContext.current.baggage["cart"] == "1")
            #expect(TelemetryContext.current.span?.context == span.context)
            span.deactivate()
            #expect(TelemetryContext.current.span == nil && TelemetryContext.current.baggage["cart"] == "1")
            Baggage.deactivate(number)
            span.end()
        }

        @Test func `that nothing removes does not fill memory`() {
            let numbers = (0..<1_000).map { baggage(String($0)).activate() }
            #expect(TelemetryContext.current.baggage["cart"] == "999")
            for number in numbers.suffix(256) { Baggage.deactivate(number) }
            #expect(TelemetryContext.current.baggage["cart"] == nil)
        }
    }
}
