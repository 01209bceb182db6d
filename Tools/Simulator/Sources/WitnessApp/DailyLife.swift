import Astrolabe
import AstrolabePlatform
import AstrolabeTelemetryModel
import Dispatch

/// The app's work: a trace every 12 seconds in the foreground, and now and then an error.
final class DailyLife: Sendable {
    private let telemetry: Telemetry
    private let time: VirtualTime
    private let witness: RecordNotes
    private let tracer: Tracer
    private let events: EventLogger
    private let isInFront = Locked(true)
    private let errors = Locked<Task<Void, Never>?>(nil)

    init(_ telemetry: Telemetry, time: VirtualTime, witness: RecordNotes) {
        self.telemetry = telemetry
        self.time = time
        self.witness = witness
        tracer = telemetry.tracer("witness")
        events = telemetry.logger("witness")
        telemetry.meter("witness").observableGauge("witness.uptime", unit: "s") { time.uptime }
    }

    func move(toFront: Bool) { isInFront.withLock { $0 = toFront } }

    func run() async {
        var count = 0
        while (try? await time.sleep(12)) != nil {
            guard isInFront.withLock({ $0 }) else { continue }
            count += 1
            browse()
            if count.isMultiple(of: 5) { emit(.debug, "witness.detail", .debug) }
            if count.isMultiple(of: 10) { emit(.error, "witness.failed", .error) }
            if count.isMultiple(of: 50) { pay() }
        }
    }

    /// A trace of three spans with an event inside.
    private func browse() {
        span("browse") {
            span("load product") { emit(.event, "witness.loaded", .info) }
            span("show product") {}
        }
    }

    /// Something that the app must know of at once.
    func pay() { emit(.critical, "witness.paid", .error, priority: .critical) }

    /// Begins to record an error each second, or ends that.
    func toggleErrors() {
        errors.withLock { errors in
            if let running = errors {
                running.cancel()
                errors = nil
            } else {
                errors = Task { [self] in
                    while (try? await time.sleep(1)) != nil { emit(.error, "witness.failed", .error) }
                }
            }
        }
    }

    /// Records as fast as possible on four threads, until done or killed.
    func burst() {
        for _ in 0..<4 {
            DispatchQueue.global().async { [self] in
                for _ in 0..<150 { browse() }
            }
        }
    }

    private func span(_ name: String, _ body: () -> Void) {
        witness.note(.span, mode: { mode }) { number in
            tracer.withSpan(name, attributes: ["witness.number": number]) { _ in body() }
        }
    }

    private func emit(_ kind: RecordNotes.Kind, _ name: String, _ severity: Severity, priority: Priority? = nil) {
        witness.note(kind, mode: { mode }) { number in
            events.emit(name, severity: severity, attributes: ["witness.number": number], priority: priority)
        }
    }

    private var mode: String { telemetry.policyDecision?.mode.rawValue ?? "off" }
}
