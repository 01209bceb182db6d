public import Astrolabe
import AstrolabeViewTracing

/// Records view controllers and taps of an app that cannot change its code, by exchanging implementations at run time.
///
///     let telemetry = Telemetry.start(TelemetryConfiguration(serviceName: "my-app"))
///     AutomaticInstrumentation.start(telemetry)
///
/// Only six methods of `UIViewController` and `UIControl` are exchanged, each once per process. The previous
/// implementation is called exactly once for each call, whether or not anything is recorded. View controllers have the
/// spans of `TracedViewController` in `AstrolabeUIKit`, under the name of their class.
///
/// Prefer `AstrolabeUIKit` if you can change the code: names are better there, and nothing is exchanged.
@MainActor
public enum AutomaticInstrumentation {
    static let tracing = AutomaticTracing()

    /// Starts to record. A second call replaces the telemetry and the options, and exchanges nothing again.
    ///
    /// - Returns: Whether anything is recorded: not if the options or the telemetry are disabled, if `viewTracing` is
    ///   `off`, or if there is no UIKit.
    @discardableResult
    public static func start(_ telemetry: Telemetry, options: AutomaticOptions = AutomaticOptions()) -> Bool {
        tracing.start(telemetry.views, options) { target in
            #if canImport(ObjectiveC) && canImport(UIKit) && !os(watchOS)
            return ObjectiveCExchange.exchange(target)
            #else
            return false
            #endif
        }
    }

    /// Stops recording. Exchanged implementations stay and only call the previous ones.
    public static func stop() {
        tracing.stop()
    }

    /// True if anything is recorded.
    public static var isRunning: Bool { tracing.isRecording }
}
