import AstrolabePlatform
import AstrolabeSeededRandomness
import AstrolabeTelemetryModel
import Foundation
import Testing

@testable import AstrolabeRecording

extension ProcessWideState {
    /// Errors on several threads, in traces that were sampled out.
    @Suite struct KeptErrorThreadTests {
        private struct Declined: Error, CustomStringConvertible {
            var description: String { "card declined" }
        }

        let recorder = Recorder(sampler: SessionSampler(rate: 0))

        /// Roots that end on one thread at the moment at which their children fail on another.
        @Test func `a root that ends while its trace fails is kept once`() throws {
            let rounds = 300
            let child = Locked<Tracer.Span?>(nil)
            onThreads(2) { thread in
                for round in 0..<rounds {
                    if thread == 0 {
                        recorder.tracer.withSpan("root \(round)") { _ in
                            child.withLock { $0 = recorder.tracer.spanBuilder("child \(round)").startSpan() }
                        }
                        while child.withLock({ $0 != nil }) { sched_yield() }
                    } else {
                        while child.withLock({ $0 == nil }) { sched_yield() }
                        let failing = child.withLock { $0 }
                        failing?.recordException(Declined())
                        failing?.end()
                        child.withLock { $0 = nil }
                    }
                }
            }
            let names = try recorder.spans.map(\.name)
            #expect(names.filter { $0.hasPrefix("child") }.count == rounds)
            // A root may go missing if both threads are at its slot at once.
            #expect(Set(names).count == names.count && names.count > rounds * 3 / 2)
        }

        @Test func `of many threads that fail and end a span one keeps it, and what comes later has no effect`() throws
        {
            for round in 0..<100 {
                let span = recorder.tracer.spanBuilder("shared \(round)").setActive(round.isMultiple(of: 2)).startSpan()
                span.recordException(Declined())
                onThreads(4) { _ in
                    span.setStatus(.error("broken"))
                    span.setAttribute("key", 1)
                    span.end()
                    span.recordException(Declined())
                    span.updateName("late")
                    span.end()
                }
            }
            #expect(try recorder.spans.map(\.name).sorted() == (0..<100).map { "shared \($0)" }.sorted())
            #expect(recorder.core.keptByError == 100)
        }

        /// Traces in tasks side by side, of which some fail somewhere: what is kept is exactly what failed, and its
        /// root.
        @Test func `what is kept of many traces at once is what failed and the root of it`() async throws {
            var random = SeededGenerator(seed: 38)
            // For each trace, which of its five children fail.
            let plans = (0..<120).map { _ in (0..<5).map { _ in Int.random(in: 0..<12, using: &random) == 0 } }
            await withTaskGroup(of: Void.self) { group in
                for (index, plan) in plans.enumerated() {
                    group.addTask {
                        await recorder.tracer.withSpan("root \(index)") { _ in await self.children(of: index, plan) }
                    }
                }
            }
            let spans = try recorder.spans
            let byName = Dictionary(grouping: spans, by: \.name)
            for (index, plan) in plans.enumerated() {
                let root = byName["root \(index)"] ?? []
                #expect(root.count == (plan.contains(true) ? 1 : 0))
                for (number, fails) in plan.enumerated() {
                    let child = byName["child \(index).\(number)"] ?? []
                    #expect(child.count == (fails ? 1 : 0))
                    #expect(child.allSatisfy { $0.parentSpanID == root.first?.context.spanID })
                    #expect(child.allSatisfy { $0.context.traceID == root.first?.context.traceID })
                }
            }
            #expect(Set(spans.map(\.context.spanID)).count == spans.count)
            #expect(recorder.core.sampledOut == 720)
            #expect(recorder.core.keptByError == UInt64(spans.count))
        }

        private func children(of index: Int, _ plan: [Bool]) async {
            await withTaskGroup(of: Void.self) { group in
                for (number, fails) in plan.enumerated() {
                    group.addTask {
                        try? await recorder.tracer.withSpan("child \(index).\(number)") { _ in
                            await Task.yield()
                            if fails { throw Declined() }
                        }
                    }
                }
            }
        }
    }
}
