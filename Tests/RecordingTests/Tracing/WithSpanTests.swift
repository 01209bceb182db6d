import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

@Suite struct WithSpanTests {
    private struct OutOfStock: Error, Equatable {
        let product: String
    }

    let recorder = Recorder()

    @Test func `it hands on what the body returns, and ends the span after it`() throws {
        let total = recorder.tracer.withSpan("sum", attributes: ["count": 2]) { span in
            recorder.time.advance(by: 99)
            #expect(span.isRecording)
            return 1 + 1
        }
        #expect(total == 2)
        let data = try recorder.span
        #expect(data.attributes == ["count": 2])
        #expect(data.durationNano == 99)
    }

    @Test func `an error is recorded, becomes the status, and is thrown on`() throws {
        #expect(throws: OutOfStock(product: "HQTGWGPNH4")) {
            try recorder.tracer.withSpan("checkout") { _ in throw OutOfStock(product: "HQTGWGPNH4") }
        }
        let data = try recorder.span
        #expect(data.status == .error("OutOfStock(product: \"HQTGWGPNH4\")"))
        #expect(try data.events.only.name == "exception")
        #expect(try data.events.only.attributes["exception.type"] == "AstrolabeRecordingTests.WithSpanTests.OutOfStock")
        #expect(try recorder.headers.only.priority == .high)
    }

    @Test func `an error of an async body is treated the same`() async throws {
        await #expect(throws: OutOfStock(product: "x")) {
            try await recorder.tracer.withSpan("checkout") { _ in
                await Task.yield()
                throw OutOfStock(product: "x")
            }
        }
        #expect(try recorder.span.status.isError)
        #expect(TelemetryContext.current.span == nil)
    }

    @Test func `cancellation is no failure`() async throws {
        let task = Task {
            try await recorder.tracer.withSpan("load") { _ in
                // Ends when the task is cancelled.
                let (never, end) = AsyncStream.makeStream(of: Never.self)
                for await _ in never {}
                end.finish()
                try Task.checkCancellation()
            }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let data = try recorder.span
        #expect(data.status == .unset)
        #expect(data.events.map(\.name) == ["cancelled"])
        #expect(try recorder.headers.only.priority == .normal)
    }

    @Test func `a status that the body has set is not overridden by ok being final`() throws {
        #expect(throws: OutOfStock.self) {
            try recorder.tracer.withSpan("any") { span in
                span.setStatus(.ok)
                throw OutOfStock(product: "x")
            }
        }
        #expect(try recorder.span.status == .ok)
    }

    @Test func `a body may end the span itself`() throws {
        recorder.tracer.withSpan("any") { span in
            span.end(timeUnixNano: 5_000_000_000_000)
            span.setAttribute("late", true)
        }
        #expect(try recorder.span.endTimeUnixNano == 5_000_000_000_000)
        #expect(try recorder.span.attributes.isEmpty)
    }

    @Test func `errors' texts are redacted`() throws {
        struct LoginFailure: Error { let user = "ada@example.com" }
        #expect(throws: LoginFailure.self) { try recorder.tracer.withSpan("login") { _ in throw LoginFailure() } }
        let data = try recorder.span
        #expect(!"\(data)".contains("ada@example.com"))
        #expect(data.status == .error("LoginFailure(user: \"REDACTED\")"))
    }

    @Test func `a disabled tracer runs the body all the same`() async throws {
        #expect(Tracer.disabled.withSpan("any") { _ in 7 } == 7)
        #expect(await Tracer.disabled.withSpan("any") { _ in await Task { 8 }.value } == 8)
        #expect(throws: OutOfStock.self) {
            try Tracer.disabled.withSpan("any") { _ in throw OutOfStock(product: "x") }
        }
    }

    @Test func `a disabled tracer inside a span leaves it the current one`() {
        recorder.tracer.withSpan("outer") { outer in
            Tracer.disabled.withSpan("nothing") { _ in
                #expect(TelemetryContext.current.span?.context == outer.context)
            }
        }
    }
}
