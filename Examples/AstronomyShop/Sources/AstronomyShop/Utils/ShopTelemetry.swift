import Astrolabe
import AstrolabeHTTP
import Foundation

/// The app's interface to its telemetry, which hides the SDK's setup.
///
///     try await telemetry.span("CartViewModel.addProduct", attributes: [DemoAttribute.productId: id]) { span in
///         try await service.addItem(item)
///     }
struct ShopTelemetry: Sendable {
    /// The SDK's session, which is also the cart's.
    struct Session: Sendable {
        /// The id of the session. Reading it does not count as activity.
        var currentID: @Sendable () -> String
        /// Ends the session and returns the id of the next.
        var reset: @Sendable () -> String
        var recordUserActivity: @Sendable () -> Void
    }

    let tracer: Tracer
    let events: EventLogger
    let meter: Meter
    /// Records screens and taps.
    let views: ViewTracer
    /// Creates the tracing of requests to the allowed hosts, in a scope of the SDK.
    let httpTracing: @Sendable (AllowedHosts) -> HTTPTracing
    let session: Session
    /// The id of this installation, which is lost when the app's data is deleted or the user refuses consent. It
    /// identifies neither people nor hardware.
    let installationID: @Sendable () -> String
    /// The marketing version: "1.0.0".
    let appVersion: String
    /// The current screen, for a trip without views.
    let setScreen: @Sendable (_ name: String, _ id: String) -> Void

    /// - Parameters:
    ///   - telemetry: The running SDK. If it is disabled, the shop uses a session of its own.
    ///   - appVersion: Default: the service version of the resource, the bundle's marketing version, or 1.0.0.
    init(_ telemetry: Telemetry, appVersion: String? = nil) {
        let version =
            appVersion ?? telemetry.resource.attributes[AttributeKey.serviceVersion]?.stringValue
            ?? Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String ?? "1.0.0"
        tracer = telemetry.tracer("astronomy-shop", version: version)
        events = telemetry.logger("astronomy-shop", version: version)
        meter = telemetry.meter("astronomy-shop", version: version)
        views = telemetry.views
        httpTracing = { HTTPTracing(telemetry, allowedHosts: $0) }
        session = Session(telemetry.session)
        installationID = { telemetry.installationID }
        self.appVersion = version
        setScreen = { name, id in telemetry.setScreen(name, id: id) }
    }

    /// Runs `body` inside a span, whose status is `ok` unless an error is thrown.
    ///
    /// An error is recorded in full, with its kind as `error.type`; cancellation is only noted. A span of a view model
    /// names it as `demo.view_model`.
    @discardableResult
    func span<Result>(
        _ name: String, attributes: Attributes = [:], isolation: isolated (any Actor)? = #isolation,
        _ body: (Tracer.Span) async throws -> Result,
    ) async rethrows -> Result {
        try await tracer.withSpan(name, attributes: attributes) { span in
            _ = isolation  // A closure runs on the actor that it captures.
            if let model = Self.viewModel(in: name) { span.setAttribute("demo.view_model", model) }
            do {
                let result = try await body(span)
                span.setStatus(.ok)
                return result
            } catch {
                if !error.isCancellation { span.setAttribute(AttributeKey.errorType, error.telemetryType) }
                throw error
            }
        }
    }

    /// The view model of a span such as `CartViewModel.addProduct`.
    private static func viewModel(in name: String) -> String? {
        let type = name.prefix { $0 != "." }
        return type.hasSuffix("ViewModel") && type.count < name.count ? String(type) : nil
    }

    /// Runs the action of a tap inside a new root span, on the actor of the caller, and counts as user activity.
    ///
    /// The event `app.widget.click` names the widget, as in the semantic conventions.
    ///
    /// - Parameter widget: The title of the widget: "Place Order".
    func userAction(
        _ widget: String, id: String, isolation: isolated (any Actor)? = #isolation,
        _ body: (Tracer.Span) async throws -> Void,
    ) async rethrows {
        session.recordUserActivity()
        try await TelemetryContext(baggage: TelemetryContext.current.baggage).withValue {
            _ = isolation  // A closure runs on the actor that it captures.
            try await tracer.withSpan("tap \(widget)") { span in
                _ = isolation
                views.recordTap(id, name: widget)
                try await body(span)
            }
        }
    }
}

extension ShopTelemetry.Session {
    /// The SDK's session or, if the SDK is disabled or consent is denied, one that lasts as long as the process.
    fileprivate init(_ handle: SessionHandle) {
        let own = OwnSession()
        self.init(
            currentID: { handle.current?.id ?? own.id }, reset: { handle.reset()?.id ?? own.reset() },
            recordUserActivity: { handle.recordUserActivity() },
        )
    }
}

/// A session without telemetry: the shop needs its id for the cart.
///
/// The lock is Foundation's: an app sees nothing of the SDK's own, and `Mutex` needs iOS 18.
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
