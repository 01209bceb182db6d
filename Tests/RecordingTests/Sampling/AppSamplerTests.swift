import AstrolabePlatform
import AstrolabeSemantics
import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

/// Samplers that an app writes.
@Suite struct AppSamplerTests {
    /// Decides by the attribute "decide".
    private struct ByAttribute: Sampler {
        let seen = SeenInputs()
        var description: String { "ByAttribute" }

        func shouldSample(_ input: SamplingInput) -> SamplingResult {
            seen.add(input)
            switch input.attributes["decide"] {
            case "drop": return SamplingResult(.drop)
            case "record": return SamplingResult(.recordOnly, attributes: ["by": "sampler"])
            default: return SamplingResult(.recordAndSample, attributes: ["by": "sampler", "n": 2])
            }
        }
    }

    private struct Declined: Error, CustomStringConvertible {
        var description: String { "card declined" }
    }

    private final class EndedNames: SpanProcessor {
        let names = Locked<[String]>([])
        func onEnd(_ span: FinishedSpan) { names.withLock { $0.append(span.name) } }
    }

    @Test(arguments: [true, false])
    func `sees attributes and links, and adds attributes`(isByBuilder: Bool) throws {
        let sampler = ByAttribute()
        let recorder = Recorder(sampler: sampler)
        let other = SpanContext(traceID: TraceID(high: 1, low: 2), spanID: SpanID(3))
        if isByBuilder {
            let builder = recorder.tracer.spanBuilder("root").setAttribute("n", 1).addLink(other)
            builder.startSpan().end()
            builder.startSpan().end()
            #expect(sampler.seen.all.allSatisfy { $0.links.map(\.context) == [other] && $0.attributes == ["n": 1] })
            #expect(sampler.seen.all.count == 2)
        } else {
            recorder.tracer.withSpan("root", attributes: ["n": 1]) { _ in }
            #expect(try sampler.seen.all.only.attributes == ["n": 1])
        }
        #expect(try recorder.spans.allSatisfy { $0.attributes == ["n": 2, "by": "sampler"] })
    }

    @Test func `decides by attributes in closures of both colours`() async throws {
        let recorder = Recorder(sampler: ParentBasedSampler(root: ByAttribute()))
        recorder.tracer.withSpan("dropped", attributes: ["decide": "drop"]) { span in
            #expect(!span.isRecording)
            recorder.tracer.withSpan("inside") { #expect(!$0.isRecording) }
        }
        await recorder.tracer.withSpan("dropped too", attributes: ["decide": "drop"]) { span in
            await Task.yield()
            #expect(!span.isRecording)
        }
        await recorder.tracer.withSpan("kept") { _ in await Task.yield() }
        #expect(try recorder.spans.map(\.name) == ["kept"])
    }

    @Test func `records a span for processors alone, and its children not at all`() throws {
        let processor = EndedNames()
        let recorder = Recorder(
            sampler: ParentBasedSampler(root: ByAttribute()), processors: RecordProcessors(span: [processor]))
        recorder.tracer.withSpan("root", attributes: ["decide": "record"]) { root in
            #expect(root.isRecording && !root.context.isSampled)
            #expect(TraceContextPropagator.traceParent(of: root.context).hasSuffix("-02"))
            recorder.tracer.withSpan("child") { child in
                #expect(!child.isRecording && child.context.traceID == root.context.traceID)
                child.setAttribute("of.child", 1)
                recorder.tracer.withSpan("grandchild") { $0.setAttribute("of.grandchild", 1) }
            }
            root.setAttribute("of.root", 1)
        }
        #expect(processor.names.withLock { $0 } == ["root"])
        #expect(recorder.rawRecords.isEmpty)
    }

    @Test func `leaves a span that was for processors alone to the flight recorder, with all its attributes`() throws {
        let recorder = Recorder(sampler: ByAttribute(), triggers: RecorderTriggers())
        _ = try? recorder.tracer.withSpan("root", attributes: ["decide": "record"]) { span in
            span.setAttribute("later", 1)
            throw Declined()
        }
        let span = try recorder.span
        #expect(span.status == .error("card declined") && span.attributes["later"] == 1)
        #expect(!span.context.isSampled && recorder.headers[0].isSampledOut)
    }

    @Test func `asks a delegate for each kind of parent`() throws {
        func context(isRemote: Bool, isSampled: Bool) -> SpanContext {
            SpanContext(
                traceID: TraceID(high: 1, low: 2), spanID: SpanID(3), flags: isSampled ? .sampled : [],
                isRemote: isRemote)
        }
        // Each delegate decides otherwise than the parent did.
        let sampler = ParentBasedSampler(
            root: AlwaysOffSampler(), remoteParentSampled: AlwaysOffSampler(),
            remoteParentNotSampled: AlwaysOnSampler(), localParentSampled: AlwaysOffSampler(),
            localParentNotSampled: AlwaysOnSampler())
        let recorder = Recorder(sampler: sampler)
        for isRemote in [true, false] {
            for isSampled in [true, false] {
                let parent = context(isRemote: isRemote, isSampled: isSampled)
                let span = recorder.tracer.spanBuilder("\(isRemote) \(isSampled)").setParent(parent).startSpan()
                #expect(span.isRecording != isSampled)
                span.end()
            }
        }
        recorder.tracer.spanBuilder("root").setNoParent().startSpan().end()
        #expect(try recorder.spans.map(\.name) == ["true false", "false false"])
        #expect(
            sampler.description
                == "ParentBased{root:AlwaysOffSampler,remoteParentSampled:AlwaysOffSampler,"
                + "remoteParentNotSampled:AlwaysOnSampler,localParentSampled:AlwaysOffSampler,"
                + "localParentNotSampled:AlwaysOnSampler}")
    }
}
