#if canImport(ObjectiveC)
import AstrolabeDelivery
import AstrolabeRecording
import AstrolabeTelemetryModel
public import Foundation

/// The SDK for code in Objective-C: it starts the shared telemetry and records with it.
///
///     @import Astrolabe;
///     [ASTTelemetry startWithServiceName:@"my-app" endpoint:url headers:@{}];
///     [ASTTelemetry recordEvent:@"order.placed" attributes:@{@"order.total": @57.08}];
///
/// Code in Swift uses ``Telemetry``. All methods may be called from any thread; call those that start on the main one.
@objc(ASTTelemetry)
public final class ASTTelemetry: NSObject {
    private override init() {}

    /// Starts with the defaults and this endpoint; returns whether the SDK runs.
    ///
    /// - Parameter endpoint: The base of the OTLP addresses; `nil` keeps records on the device.
    @objc(startWithServiceName:endpoint:headers:)
    @discardableResult
    public static func start(serviceName: String, endpoint: URL?, headers: [String: String]) -> Bool {
        var configuration = TelemetryConfiguration(serviceName: serviceName)
        configuration.endpoint = endpoint.map { OTLPEndpoint(url: $0, headers: headers) }
        return Telemetry.start(configuration).isEnabled
    }

    /// Starts as a property list says: see ``TelemetryConfiguration``.
    ///
    /// - Throws: `ConfigurationError`, which names the file, the key, and what was expected.
    @objc(startWithPropertyList:error:)
    public static func start(propertyList: URL) throws {
        Telemetry.start(try TelemetryConfiguration.load(propertyList: propertyList))
    }

    /// Changes the consent to "granted" or "denied", and calls `completion` when the change is complete.
    @objc(setConsentGranted:completion:)
    public static func setConsent(isGranted: Bool, completion: (@Sendable () -> Void)?) {
        Task {
            await Telemetry.shared.setConsent(isGranted ? .granted : .denied)
            completion?()
        }
    }

    /// Sets `user.id` on all records; `nil` clears the user.
    @objc(setUserIdentifier:)
    public static func setUser(identifier: String?) {
        if let identifier { Telemetry.shared.setUser(id: identifier) } else { Telemetry.shared.clearUser() }
    }

    /// Names the screen that the user sees; `nil` if there is none.
    @objc(setScreenName:)
    public static func setScreen(_ name: String?) {
        Telemetry.shared.setScreen(name)
    }

    /// Records an event. Values may be strings, numbers, dates, data, arrays and dictionaries; others are left out.
    @objc(recordEvent:attributes:)
    public static func record(event: String, attributes: [String: Any]) {
        Telemetry.shared.logger("objective-c").emit(event, attributes: FoundationValues.attributes(attributes))
    }

    /// Records an error that the app has handled, as the event `exception`. Its group is its domain and code.
    @objc(recordError:)
    public static func record(error: NSError) {
        Telemetry.shared.recordError(withoutPlace: error)
    }
}
#endif
