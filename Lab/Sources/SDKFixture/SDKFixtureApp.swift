import Astrolabe
import AstrolabeDeviceConditions
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeTestSupport
import Dispatch
import Foundation

/// The use of the SDK by the fixture's app.
struct SDKFixtureApp: Sendable {
    private let telemetry: Telemetry
    private let tracer: Tracer
    private let events: EventLogger
    private let firstNumber: UInt64

    init(folder: String, port: UInt16, run: UInt64, flushesOften: Bool) {
        var configuration = Self.configuration(folder: folder, port: port, run: run)
        configuration.onDiagnostic = { _ in }
        if flushesOften {
            configuration.flushInterval = .milliseconds(50)
            configuration.metricInterval = .milliseconds(200)
        }
        telemetry = Telemetry.start(configuration)
        tracer = telemetry.tracer("fixture", version: "1")
        events = telemetry.logger("fixture", version: "1")
        // Below 13 digits: longer numbers may be redacted as those of payment cards.
        firstNumber = run << 28
    }

    /// The SDK's own defaults, except the destination and the interval, with every trace recorded. The conditions are
    /// nominal, whatever this machine does.
    private static func configuration(folder: String, port: UInt16, run: UInt64) -> TelemetryConfiguration {
        var configuration = TelemetryConfiguration(serviceName: "durability")
        configuration.storageDirectory = URL(fileURLWithPath: folder)
        configuration.endpoint = URL(string: "http://127.0.0.1:\(port)").map { url in
            OTLPEndpoint(url: url, headers: ["x-run": String(run)])
        }
        // A busy machine is no collector that does not respond: a request that it made time out would be sent again.
        configuration.endpoint?.timeout = .seconds(120)
        configuration.sampler = ParentBasedSampler(root: AlwaysOnSampler())
        configuration.conditions = SimulatedConditions(
            Conditions(network: .wifi, power: Power(level: 0.8, source: .unplugged), lifecycle: .active)
        )
        return configuration
    }

    /// A thousand records a second on a thread of its own, so many as a very busy app makes.
    func recordForever(on thread: UInt64) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "fixture.\(thread)"))
        let number = Locked(firstNumber | thread << 26)
        timer.schedule(deadline: .now(), repeating: .milliseconds(5), leeway: .nanoseconds(0))
        timer.setEventHandler {
            // One handler runs at a time.
            var next = number.withLock { $0 }
            recordSome(&next)
            number.withLock { $0 = next }
        }
        timer.resume()
        return timer
    }

    func record(_ count: Int) {
        var number = firstNumber
        while number - firstNumber < UInt64(count) { recordSome(&number) }
    }

    /// Two spans, one in the other, and three events, one of them an error, which goes before the rest.
    private func recordSome(_ number: inout UInt64) {
        let first = number
        number += 5
        tracer.withSpan("outer", attributes: Self.attributes(first)) { _ in
            tracer.withSpan("inner", attributes: Self.attributes(first + 1)) { span in
                span.setAttribute("demo.product.id", "OLJCESPC7Z")
            }
            tell(first + 1)
            events.emit("demo.happened", attributes: Self.attributes(first + 2))
            tell(first + 2)
        }
        tell(first)
        events.emit("demo.detail", severity: .debug, attributes: Self.attributes(first + 3))
        tell(first + 3)
        events.emit("demo.failed", severity: .error, attributes: Self.attributes(first + 4))
        tell(first + 4)
    }

    /// Refuses and agrees so many times, and tells what the process uses after a tenth and at the end.
    func toggleConsent(_ count: Int) async {
        for cycle in 1...max(count, 1) {
            await telemetry.setConsent(.denied)
            await telemetry.setConsent(.granted)
            events.emit("demo.happened")
            if cycle == count / 10 || cycle == count { await Self.tellUse() }
        }
    }

    /// Ends, and starts and ends others so many times. Tells what the process uses after a tenth and at the end.
    func restart(_ count: Int, folder: String, port: UInt16, run: UInt64) async {
        await telemetry.shutdown(sending: false)
        for cycle in 1...max(count, 1) {
            let app = SDKFixtureApp(folder: folder, port: port, run: run, flushesOften: true)
            app.events.emit("demo.happened")
            await app.telemetry.shutdown(sending: false)
            if cycle == count / 10 || cycle == count { await Self.tellUse() }
        }
    }

    /// Tells the number of open descriptors, and KiB of resident memory: the least of ten looks within half a second.
    /// Other threads release what has ended, and a busy machine may run them later.
    private static func tellUse() async {
        var least = use
        for _ in 1..<10 {
            try? await Task.sleep(for: .milliseconds(50))
            let now = use
            least = (min(least.descriptors, now.descriptors), min(least.kibibytes, now.kibibytes))
        }
        if !Message(.removed, least.descriptors, least.kibibytes).send() { exit(3) }
    }

    private static var use: (descriptors: UInt64, kibibytes: UInt64) {
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        let resident = pages?.dropFirst().first.flatMap { UInt64($0) } ?? 0
        return (UInt64(descriptors), resident * 4)
    }

    private static func attributes(_ number: UInt64) -> Attributes {
        ["fixture.number": Int64(number)]
    }

    /// Flushes until nothing is left on the device; gives the final account.
    func deliverAll() async -> RecordLedger {
        // The limit only ends a test that would hang.
        let end = ContinuousClock.now + .seconds(120)
        while await telemetry.flush().ledger.pending > 0, ContinuousClock.now < end {
            try? await Task.sleep(for: .milliseconds(10))
        }
        return await telemetry.shutdown(timeout: .seconds(60)).ledger
    }
}

/// Reports that the record of this number was made, and ends the process if no one listens any more.
private func tell(_ number: UInt64) {
    if !Message(.appended, number).send() { exit(3) }
}
