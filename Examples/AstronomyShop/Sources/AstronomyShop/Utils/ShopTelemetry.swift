import Astrolabe
import Foundation

/// The app's own door to its telemetry: what the rest of the app is given, and all that it knows of the SDK's setup.
///
///     try await telemetry.span("CartViewModel.addProduct", attributes: [DemoAttribute.productId: id]) { span in
///         try await service.addItem(item)
///     }
struct ShopTelemetry: Sendable {
    /// The SDK's session, which is the cart's as well.
    struct Session: Sendable {
        /// Reading it is no activity.
        var currentID: @Sendable () -> String
        /// Ends the session and gives the id of the next.
        var reset: @Sendable () -> String
        var recordUserActivity: @Sendable () -> Void
    }

    let tracer: Tracer
    let events: EventLogger
    let meter: Meter
    /// Records screens and taps.
    let views: ViewTracer
    let session: Session
    /// Tells installations apart, not people or hardware: it ends with the app's data.
    let installationID: String
    /// The marketing version: "1.0.0".
    let appVersion: String
    /// The screen that records carry from now on, for a trip without views.
    let setScreen: @Sendable (_ name: String, _ id: String) -> Void

    /// - Parameters:
    ///   - telemetry: The running SDK. Where it is disabled the shop works all the same, on a session of its own.
    ///   - appVersion: Default the service version of the resource, the bundle's marketing version, or 1.0.0.
    init(_ telemetry: Telemetry, appVersion: String? = nil) {
        let version =
            appVersion ?? telemetry.resource.attributes[AttributeKey.serviceVersion]?.stringValue
            ?? Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String ?? "1.0.0"
        tracer = telemetry.tracer("astronomy-shop", version: version)
        events = telemetry.eventLogger("astronomy-shop", version: version)
        meter = telemetry.meter("astronomy-shop", version: version)
        views = telemetry.views
        session = Session(telemetry.session)
        installationID = telemetry.installationID
        self.appVersion = version
        setScreen = { name, id in telemetry.setScreen(name: name, id: id) }
    }

    /// Runs `body` inside a span of the app's own work, which is `ok` where nothing is thrown.
    ///
    /// An error is recorded in full, with its kind as `error.type`; cancellation is only noted.
    @discardableResult
    func span<Result>(
        _ name: String, attributes: Attributes = [:], isolation: isolated (any Actor)? = #isolation,
        _ body: (Span) async throws -> Result,
    ) async rethrows -> Result {
        try await tracer.withSpan(name, attributes: attributes) { span in
            do {
                let result = try await body(span)
                span.setStatus(.ok)
                return result
            } catch {
                if !error.isCancellation { span.setAttribute(key: AttributeKey.errorType, value: error.telemetryType) }
                throw error
            }
        }
    }

    /// Runs what a person's tap sets off inside the root span of a trace of its own, and counts as activity.
    ///
    /// The event `app.widget.click` says what was touched, as the semantic conventions name it.
    ///
    /// - Parameter widget: What it says on the widget: "Place Order".
    func userAction(
        _ widget: String, id: String, isolation: isolated (any Actor)? = #isolation,
        _ body: (Span) async throws -> Void,
    ) async rethrows {
        session.recordUserActivity()
        try await TelemetryContext(baggage: TelemetryContext.current.baggage).withValue {
            try await tracer.withSpan("tap \(widget)") { span in
                views.recordTap(id, name: widget)
                try await body(span)
            }
        }
    }
}

extension ShopTelemetry.Session {
    /// The SDK's session or, where the SDK is disabled, one that lasts as long as the process.
    fileprivate init(_ handle: SessionHandle) {
        guard handle.current != nil else {
            let own = OwnSession()
            self.init(currentID: { own.id }, reset: { own.reset() }, recordUserActivity: {})
            return
        }
        self.init(
            currentID: { handle.current?.id ?? "" }, reset: { handle.reset()?.id ?? "" },
            recordUserActivity: { handle.recordUserActivity() },
        )
    }
}

/// A session without telemetry: the shop needs its id for the cart.
private final class OwnSession: @unchecked Sendable {  // the lock orders every access to the id
    private let lock = NSLock()
    private var current = UUID().uuidString.lowercased()

    var id: String { lock.withLock { current } }

    func reset() -> String {
        lock.withLock {
            current = UUID().uuidString.lowercased()
            return current
        }
    }
}
