import AstrolabeRecording
import AstrolabeTelemetryModel
import Dispatch
import Testing

@testable import AstrolabeOpenTelemetryCore

/// The reach of a span that was made current by hand. Its cases are those of opentelemetry-swift-core's tests of its
/// context manager on Apple platforms.
extension ContextStoreTests {
    @Suite(.timeLimit(.minutes(5))) struct ContextReachTests {
        /// The place where the span is made current: a thread without a task, or a task.
        enum Place: CaseIterable {
            case thread
            case task
        }

        /// A span of another API.
        private final class Foreign: Sendable {
            let span: Tracer.Span
            init(_ span: Tracer.Span) { self.span = span }
        }

        private let sink = SpanSink()
        private let tracer: Tracer

        init() {
            PassedActivities.install()
            tracer = Tracer(core: RecordingCore(sink: sink), scope: InstrumentationScope(name: "test"))
        }

        private var current: AnyObject? { ContextStore.span?.object }

        private func start(_ name: String) -> Foreign { Foreign(tracer.spanBuilder(name).startSpan()) }

        private func startCurrent(_ name: String) -> Foreign {
            let new = start(name)
            ContextStore.set(span: new.span, object: new)
            #expect(current === new)
            return new
        }

        private func end(_ foreign: Foreign) {
            foreign.span.end()
            ContextStore.remove(foreign)
        }

        /// A closure for which no span is current has none, whatever reaches it.
        private func expectNone() {
            ContextStore.with(span: nil, object: nil) { #expect(current == nil) }
        }

        /// Makes a child current, and ends it again.
        private func addChild(to parent: Foreign?) {
            #expect(current === parent)
            let child = startCurrent("child")
            if let parent { #expect(child.span.context.traceID == parent.span.context.traceID) }
            end(child)
            #expect(current === parent)
        }

        /// Makes a child current, in it another one, and so on; and ends them.
        private func nest(in parent: Foreign, depth: Int) async {
            #expect(current === parent)
            let child = startCurrent("child")
            await Task.yield()
            if depth > 1 { await nest(in: child, depth: depth - 1) }
            #expect(current === child)
            end(child)
            #expect(current === parent)
        }

        /// Makes a span current, starts work, and ends the span when the work is done.
        private func whileCurrent(
            in place: Place, _ startWork: @escaping @Sendable (Foreign) -> [Task<Void, Never>],
        ) async {
            switch place {
            case .thread:
                await PassedActivities.startBlock(isInheriting: false) {
                    let outer = startCurrent("outer")
                    let done = DispatchSemaphore(value: 0)
                    let tasks = startWork(outer)
                    Task.detached {
                        for task in tasks { await task.value }
                        done.signal()
                    }
                    done.wait()
                    #expect(current === outer)
                    end(outer)
                    #expect(current == nil)
                }.value
            case .task:
                await PassedActivities.startTask {
                    let outer = startCurrent("outer")
                    for task in startWork(outer) { await task.value }
                    #expect(current === outer)
                    end(outer)
                    #expect(current == nil)
                }.value
            }
        }

        @Test(arguments: Place.allCases, [1, 2])
        func `it reaches blocks of a queue, which may set their own`(place: Place, blocks: Int) async throws {
            await whileCurrent(in: place) { outer in
                (0..<blocks).map { _ in PassedActivities.startBlock { addChild(to: outer) } }
            }
            let spans = try sink.spans
            let outer = try #require(spans.first { $0.name == "outer" })
            #expect(spans.count == blocks + 1)
            #expect(spans.filter { $0.name == "child" }.allSatisfy { $0.parentSpanID == outer.context.spanID })
        }

        @Test(arguments: Place.allCases, [1, 2])
        func `it reaches a task, which may set its own, one after the other`(place: Place, children: Int) async {
            await whileCurrent(in: place) { outer in
                let task = PassedActivities.startTask {
                    for _ in 0..<children {
                        addChild(to: outer)
                        await Task.yield()
                    }
                    #expect(current === outer)
                }
                return [task]
            }
        }

        @Test(arguments: Place.allCases) func `it reaches a task, which may nest its own`(place: Place) async {
            await whileCurrent(in: place) { outer in
                [PassedActivities.startTask { await nest(in: outer, depth: 3) }]
            }
        }

        @Test(arguments: Place.allCases) func `tasks at the same time keep their own`(place: Place) async {
            await whileCurrent(in: place) { outer in
                let tasks = (0..<2).map { _ in PassedActivities.startTask { await nest(in: outer, depth: 1) } }
                #expect(current === outer)
                return tasks
            }
        }

        @Test(arguments: Place.allCases) func `it does not reach a detached task`(place: Place) async {
            await whileCurrent(in: place) { _ in [PassedActivities.startDetachedTask { addChild(to: nil) }] }
        }

        @Test func `it holds in the task that set it, over its own and nested ones`() async {
            await PassedActivities.startTask {
                let outer = startCurrent("outer")
                addChild(to: outer)
                addChild(to: outer)
                await nest(in: outer, depth: 3)
                #expect(current === outer)
                end(outer)
                #expect(current == nil)
            }.value
        }

        @Test func `two children in a row belong to its trace`() async throws {
            await PassedActivities.startTask {
                let parent = startCurrent("parent")
                for _ in 0..<2 { start("child").span.end() }
                end(parent)
            }.value
            let spans = try sink.spans
            #expect(spans.map(\.name) == ["child", "child", "parent"])
            #expect(Set(spans.map(\.context.traceID)).count == 1)
        }

        @Test func `its end removes it everywhere, though other threads have set it too`() async {
            await whileCurrent(in: .thread) { outer in
                (0..<2).map { _ in
                    PassedActivities.startBlock {
                        let parent = startCurrent("parent")
                        ContextStore.set(span: outer.span, object: outer)
                        #expect(current === outer)
                        end(parent)
                    }
                }
            }
            #expect(current == nil)
        }

        @Test func `baggage reaches what a span reaches`() async {
            await PassedActivities.startTask {
                var baggage = Baggage()
                baggage["cart"] = "1"
                let object = start("stands for baggage")
                ContextStore.set(baggage: baggage, object: object)
                await PassedActivities.startBlock { #expect(ContextStore.baggage?.object === object) }.value
                await PassedActivities.startTask { #expect(ContextStore.baggage?.value["cart"] == "1") }.value
                await PassedActivities.startDetachedTask { #expect(ContextStore.baggage == nil) }.value
                ContextStore.remove(object)
                await PassedActivities.startBlock { #expect(ContextStore.baggage == nil) }.value
            }.value
        }

        @Test func `a closure's span reaches blocks of a queue until the closure ends`() async {
            await PassedActivities.startTask {
                let outer = start("outer")
                await ContextStore.with(span: outer.span, object: outer) {
                    await PassedActivities.startBlock {
                        addChild(to: outer)
                        tracer.withSpan("of the SDK") { inner in
                            #expect(ContextStore.span?.value.context == inner.context && current == nil)
                        }
                    }.value
                    expectNone()
                    #expect(current === outer)
                }
                await PassedActivities.startBlock { #expect(current == nil) }.value
                outer.span.end()
            }.value
        }
    }
}
