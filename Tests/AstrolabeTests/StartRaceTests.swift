import AstrolabePlatform
import AstrolabeTestSupport
import Dispatch
import Foundation
import Testing

@testable import Astrolabe

extension `Telemetry.start` {
    @Suite(.timeLimit(.minutes(5))) struct `A start that is not done yet` {
        @Test func `may be called again by what it tells of, and gives it the instance that starts`() async {
            let again = Locked<[Telemetry]>([])
            var inner = TelemetryConfiguration(serviceName: "inner")
            inner.transport = UnreachableTransport()
            // Told while the instance is made, while it begins, and when it has started.
            var outer = unluckyConfiguration { [inner] _ in
                let telemetry = Telemetry.start(inner)
                again.withLock { $0.append(telemetry) }
            }
            outer.metricViews = [MetricView(instrument: "*"), MetricView(instrument: "*", unit: nil)]
            let telemetry = Telemetry.startUnreachable(outer)
            #expect(again.withLock { $0.count } > 1)
            #expect(again.withLock { $0.allSatisfy { $0 === telemetry } })
            await telemetry.shutdown(timeout: .zero)
        }

        /// Its folder cannot be made, which is reported while the instance begins.
        private func unluckyConfiguration(_ tell: @escaping @Sendable (String) -> Void) -> TelemetryConfiguration {
            var configuration = TelemetryConfiguration(serviceName: "outer")
            configuration.storageDirectory = URL(fileURLWithPath: "/dev/null/outer")
            configuration.onDiagnostic = tell
            return configuration
        }

        /// A start on a thread of its own that does not go on before the test says so.
        private func withSlowStart(
            _ transport: any OTLPTransport, _ body: (Telemetry, _ goOn: @escaping @Sendable () -> Void) async -> Void,
        ) async -> Telemetry {
            let (begins, begin) = AsyncStream.makeStream(of: Void.self)
            let (ends, end) = AsyncStream.makeStream(of: Telemetry.self)
            let gate = DispatchSemaphore(value: 0)
            let isFirst = Locked(true)
            var slow = unluckyConfiguration { _ in
                guard
                    isFirst.withLock({ isFirst in
                        defer { isFirst = false }
                        return isFirst
                    })
                else { return }
                begin.yield()
                gate.wait()
            }
            slow.transport = transport
            Thread.detachNewThread { [slow] in end.yield(Telemetry.start(slow)) }
            for await _ in begins.prefix(1) {}
            await body(Telemetry.shared) { gate.signal() }
            var started = Telemetry.disabled
            for await telemetry in ends.prefix(1) { started = telemetry }
            return started
        }

        @Test func `keeps what is recorded while it begins`() async {
            let receiver = Receiver()
            let telemetry = await withSlowStart(receiver) { telemetry, goOn in
                telemetry.tracer("test").withSpan("early") { _ in }
                goOn()
            }
            #expect(Telemetry.shared === telemetry)
            await telemetry.flush()
            await receiver.firstSpan()
            await telemetry.shutdown(timeout: .zero)
        }

        @Test func `is followed by a denial that comes while it begins, after which nothing is sent`() async {
            let receiver = Receiver()
            let telemetry = await withSlowStart(receiver) { telemetry, goOn in
                telemetry.tracer("test").withSpan("early") { _ in }
                let denial = Task { await telemetry.setConsent(.denied) }
                try? await eventually("the denial waits") { telemetry.consent == .denied }
                goOn()
                await denial.value
            }
            telemetry.tracer("test").withSpan("late") { _ in }
            await telemetry.flush()
            #expect(telemetry.consent == .denied)
            #expect(receiver.requests == 0)
            await telemetry.shutdown(timeout: .zero)
        }

        @Test func `is ended by a shutdown that comes while it begins`() async {
            let telemetry = await withSlowStart(UnreachableTransport()) { telemetry, goOn in
                telemetry.tracer("test").withSpan("early") { _ in }
                let shutdown = Task { await telemetry.shutdown(timeout: .zero) }
                try? await eventually("the shutdown waits") { telemetry.isShutDown.withLock { $0 } }
                goOn()
                #expect(await shutdown.value.blockers == [.shutDown])
            }
            let next = Telemetry.startUnreachable(TelemetryConfiguration(serviceName: "next"))
            #expect(next !== telemetry)
            await next.shutdown(timeout: .zero)
        }
    }
}
