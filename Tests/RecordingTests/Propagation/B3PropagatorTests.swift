import AstrolabeExtras
import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

@Suite struct B3PropagatorTests {
    private static let trace = "463ac35c9f6413ad48485a3953bb6124"
    private static let span = "a2fb4a1d1a96d312"

    private func context(sampled: Bool) throws -> TelemetryContext {
        let traceID = try #require(TraceID(hex: Self.trace))
        let spanID = try #require(SpanID(hex: Self.span))
        return TelemetryContext(
            span: .nonRecording(SpanContext(traceID: traceID, spanID: spanID, flags: sampled ? .sampled : [])))
    }

    private func headers(of context: TelemetryContext, _ form: B3Propagator.Form) -> [String: String] {
        var headers: [String: String] = [:]
        B3Propagator(form).inject(context) { headers[$0] = $1 }
        return headers
    }

    @Test func `one header or three are written`() throws {
        for (sampled, digit) in [(true, "1"), (false, "0")] {
            let context = try context(sampled: sampled)
            #expect(headers(of: context, .singleHeader) == ["b3": "\(Self.trace)-\(Self.span)-\(digit)"])
            #expect(
                headers(of: context, .multipleHeaders) == [
                    "X-B3-TraceId": Self.trace, "X-B3-SpanId": Self.span, "X-B3-Sampled": digit,
                ])
        }
        #expect(headers(of: TelemetryContext(), .singleHeader).isEmpty)
    }

    @Test func `what is written is listed, so that a redirect can remove it`() throws {
        let context = try context(sampled: true)
        for form in [B3Propagator.Form.singleHeader, .multipleHeaders] {
            #expect(Set(headers(of: context, form).keys) == Set(B3Propagator(form).fields))
        }
    }

    @Test(arguments: [
        (["b3": "\(trace)-\(span)-1"], true), (["b3": "\(trace)-\(span)-0"], false),
        (["b3": "\(trace)-\(span)-d"], true), (["b3": "\(trace)-\(span)"], false),
        (["b3": "\(trace)-\(span)-1-05e3ac9a4f6e3b90"], true),
        (["X-B3-TraceId": trace, "X-B3-SpanId": span, "X-B3-Sampled": "1"], true),
        (["X-B3-TraceId": trace, "X-B3-SpanId": span, "X-B3-Sampled": "true"], true),
        (["X-B3-TraceId": trace, "X-B3-SpanId": span, "X-B3-Sampled": "0", "X-B3-Flags": "1"], true),
        (["X-B3-TraceId": trace, "X-B3-SpanId": span], false),
        (["b3": "1", "X-B3-TraceId": trace, "X-B3-SpanId": span, "X-B3-Sampled": "1"], true),
    ])
    func `both forms are read, whichever is written`(headers: [String: String], sampled: Bool) throws {
        for form in [B3Propagator.Form.singleHeader, .multipleHeaders] {
            let remote = B3Propagator(form).extract { headers[$0] }
            let context = try #require(remote.span?.context)
            #expect(context.traceID.hex == Self.trace && context.spanID.hex == Self.span)
            #expect(context.isRemote && context.isSampled == sampled)
        }
    }

    @Test func `the single header wins, and a short trace id is the lower half`() throws {
        let headers = [
            "b3": "48485a3953bb6124-\(Self.span)-1", "X-B3-TraceId": Self.trace, "X-B3-SpanId": Self.span,
        ]
        let context = try #require(B3Propagator().extract { headers[$0] }.span?.context)
        #expect(context.traceID.hex == "000000000000000048485a3953bb6124" && context.isSampled)
    }

    @Test(arguments: [
        "", "0", "1", "d", "-", "---", "\(trace)", "\(trace)-\(span)-2", "\(trace)-\(span)-1-x", "\(trace)-\(span)-1-",
        "00000000000000000000000000000000-\(span)-1", "\(trace)-0000000000000000-1", "\(trace)-\(span)-1-\(span)-1",
        "463AC35C9F6413AD48485A3953BB6124-\(span)-1", "463ac35c-\(span)-1",
    ])
    func `a header that breaks a rule counts as absent`(header: String) {
        #expect(B3Propagator().extract { $0 == "b3" ? header : nil }.span == nil)
    }

    @Test func `several propagators write all their headers, and the later one wins`() throws {
        let both = CompositePropagator([TraceContextPropagator(), BaggagePropagator(), B3Propagator()])
        var headers: [String: String] = [:]
        both.inject(try context(sampled: true)) { headers[$0] = $1 }
        #expect(Set(headers.keys) == ["traceparent", "b3"])
        #expect(both.fields == ["traceparent", "tracestate", "baggage", "b3"])
        headers["b3"] = "\(Self.trace)-00f067aa0ba902b7-1"
        headers["baggage"] = "a=1"
        let remote = both.extract { headers[$0] }
        #expect(remote.span?.context.spanID.hex == "00f067aa0ba902b7")
        #expect(remote.baggage["a"] == "1")
        headers["b3"] = nil
        #expect(both.extract { headers[$0] }.span?.context.spanID.hex == Self.span)
    }
}
