import Astrolabe
import AstrolabeDeviceConditions
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeViewTracing
import Foundation

/// This program as a busy shop app, which works by the clock and then prints its use of the machine.
///
/// Every 5 s there is a tap. Each third tap leads to another screen, which makes two requests. Each second tap makes a
/// request, and the others an event. A request has a span and a second one for decoding its response. In a minute this
/// makes 12 taps, 4 screens, 14 requests, 6 events and about 60 spans.
final class BusyApp: Sendable {
    /// The command is `benchmarks busy-app KIND MINUTES PORT FOLDER`.
    static let word = "busy-app"

    /// The SDK's treatment of the app's session.
    enum Kind: String, CaseIterable {
        /// The same app without the SDK.
        case alone
        case withoutRecorder
        case recorder
        /// As `recorder`, with one failed request, after half of the time.
        case failedRequest
        case everything

        var title: String {
            switch self {
            case .alone: "without the SDK"
            case .withoutRecorder: "session sampled out, recorder off"
            case .recorder: "session sampled out, recorder on"
            case .failedRequest: "the same, one request fails"
            case .everything: "session sampled in"
            }
        }
    }

    private static let secondsOfStep = 5
    private static let screens = ["Products", "ProductDetail", "Cart", "Checkout"]

    private let kind: Kind
    private let steps: Int
    private let telemetry: Telemetry
    private let tracer: Tracer
    private let events: EventLogger
    private let connection: LoopbackConnection
    /// On threads of the global queue, as an app's own tasks: on Linux libdispatch then wakes up once a second, which
    /// is not the SDK's.
    private let requests = DispatchQueue(label: "busy-app.requests", target: .global())
    private let screen = Locked<ViewTrace?>(nil)
    private let start = DispatchTime.now()

    private init(_ kind: Kind, minutes: Int, port: UInt16, folder: String) throws {
        self.kind = kind
        steps = minutes * 60 / Self.secondsOfStep
        connection = try LoopbackConnection(port: port)
        telemetry = kind == .alone ? .disabled : Telemetry.start(Self.configuration(kind, port, folder))
        tracer = telemetry.tracer("busy-app")
        events = telemetry.logger("busy-app")
    }

    /// The defaults of a release build, except the choice of the session and the trigger of hangs.
    private static func configuration(_ kind: Kind, _ port: UInt16, _ folder: String) -> TelemetryConfiguration {
        var configuration = TelemetryConfiguration(serviceName: "busy-app")
        configuration.storageDirectory = URL(fileURLWithPath: folder, isDirectory: true)
        configuration.endpoint = URL(string: "http://127.0.0.1:\(port)/\(kind.rawValue)").map { OTLPEndpoint(url: $0) }
        // A rate of 0 makes the decision that nine of ten sessions get at a rate of 0.1.
        configuration.sampling = .ratio(kind == .everything ? 1 : 0)
        // On an overloaded machine the app may hang severely, which would promote the session that is sampled out.
        configuration.recorder.triggers.hangs = false
        if kind == .withoutRecorder { configuration.recorder.isEnabled = false }
        configuration.conditions = SimulatedConditions(
            Conditions(network: .wifi, power: Power(level: 0.8, source: .unplugged), lifecycle: .launching))
        return configuration
    }

    /// - Parameter arguments: Those after the command's word.
    static func run(_ arguments: [String]) throws -> Never {
        guard arguments.count == 4, let kind = Kind(rawValue: arguments[0]), let minutes = Int(arguments[1]),
            let port = UInt16(arguments[2])
        else { throw BenchmarkFailure("expected a kind, minutes, a port and a folder; found \(arguments)") }
        let app = try BusyApp(kind, minutes: minutes, port: port, folder: arguments[3])
        app.telemetry.moveLifecycle(to: .active)
        app.step(0)
        while true { RunLoop.main.run() }
    }

    /// Handles a tap, and waits for the next one.
    private func step(_ number: Int) {
        guard number < steps else { return finish() }
        telemetry.views.recordTap("button-\(number % 7)")
        if number % 3 == 0 {
            show(Self.screens[number / 3 % Self.screens.count])
            request("products")
            request("recommendations")
        } else {
            evaluateScreen()
        }
        if number % 2 == 1 {
            request(kind == .failedRequest && number == steps / 2 | 1 ? "failure" : "cart")
        } else {
            events.emit(
                "demo.cart.change", attributes: ["demo.product.id": "OLJCESPC7Z", "demo.cart.size": number % 5])
        }
        DispatchQueue.main.asyncAfter(deadline: start + .seconds((number + 1) * Self.secondsOfStep)) { [self] in
            step(number + 1)
        }
    }

    private func show(_ name: String) {
        let new = telemetry.views.trace(ViewIdentity(name), attributes: [:])
        let old = screen.exchange(new)
        let part = ObjectIdentifier(self)
        for _ in 0..<2 { evaluateScreen() }
        new.appeared(part)
        old?.disappeared(part)
    }

    private func evaluateScreen() {
        screen.withLock { $0 }?.evaluate(["demo.user.kind": "guest"]) {}
    }

    private func request(_ name: String) {
        requests.async { [self] in
            do {
                try tracer.withSpan("GET /api/\(name)", kind: .client) { span in
                    span.setAttribute("http.request.method", "GET")
                    span.setAttribute("url.full", "http://shop.example:8080/api/\(name)")
                    span.setAttribute("server.address", "shop.example")
                    span.setAttribute("server.port", 8_080)
                    let response = try connection.request("GET", BusyAppBackend.path(of: name))
                    span.setAttribute("http.response.status_code", response.status)
                    guard response.status == 200 else {
                        span.setAttribute("error.type", "\(response.status)")
                        return span.setStatus(.error(""))
                    }
                    let count = try tracer.withSpan("decode \(name)") { _ in
                        try BusyAppBackend.decode(response.body).count
                    }
                    span.setAttribute("demo.product.count", count)
                }
            } catch {
                Report.say("\(kind): \(error)")
                exit(1)
            }
        }
    }

    /// Sends what is left, as an app does on its way to the background.
    private func finish() {
        requests.async { [self] in
            Task.detached { [self] in
                await telemetry.flush()
                do {
                    FileHandle.standardOutput.write(try JSONEncoder().encode(ProcessUse.own))
                    exit(0)
                } catch {
                    Report.say("\(kind): \(error)")
                    exit(1)
                }
            }
        }
    }
}

/// The resources that a process has used so far, over all of its threads, also those that have ended.
struct ProcessUse: Codable {
    var processorSeconds = 0.0
    /// The times that a thread has stopped to wait, and so the times that one woke up.
    var wakeUps = 0
    /// Bytes of pages that became dirty and are on the disk or will be, also those of mapped files.
    var written = 0

    /// This process, on Linux.
    static var own: ProcessUse {
        get throws {
            var usage = rusage()
            // 0 is RUSAGE_SELF, which is an enumeration in Glibc.
            guard getrusage(0, &usage) == 0 else { throw BenchmarkFailure("getrusage: errno \(errno)") }
            let bytes = try String(contentsOfFile: "/proc/self/io", encoding: .utf8)
            func value(_ name: String) throws -> Int {
                let line = bytes.split(separator: "\n").first { $0.hasPrefix(name + ":") }
                guard let number = line?.split(separator: " ").last.flatMap({ Int($0) }) else {
                    throw BenchmarkFailure("expected \(name) in /proc/self/io; found \(bytes)")
                }
                return number
            }
            return ProcessUse(
                processorSeconds: usage.processorSeconds, wakeUps: usage.ru_nvcsw,
                written: try value("write_bytes") - value("cancelled_write_bytes"))
        }
    }
}
