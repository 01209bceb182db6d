/// The values that some attributes are limited to, spelled as the conventions spell them.
public enum KnownValue {
    /// The methods that a span or a metric may name; any other is recorded as ``otherHTTPMethod``.
    ///
    /// Those of RFC 9110, PATCH of RFC 5789, and QUERY.
    public static let httpMethods: Set<String> = [
        "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE",
    ]

    /// The value of ``AttributeKey/httpRequestMethod`` for a method that is not one of ``httpMethods``.
    public static let otherHTTPMethod = "_OTHER"

    /// The value of ``AttributeKey/errorType`` where nothing better is known.
    public static let otherErrorType = "_OTHER"

    /// The value of `view.type` for SwiftUI.
    public static let swiftUIView = "swiftui"

    /// The value of `view.type` for UIKit.
    public static let uiKitView = "uikit"

    /// The values of ``AttributeKey/iosAppState``, named after UIKit's notifications.
    public enum AppState: String, CaseIterable, Sendable {
        /// In the foreground and receiving events.
        case active
        /// In the foreground and receiving none, as when a call comes in.
        case inactive
        /// Out of sight, and soon suspended.
        case background
        /// On the way into sight, not yet active.
        case foreground
        /// About to end.
        case terminate
    }

    /// The values of ``AttributeKey/networkConnectionType``.
    public enum ConnectionType: String, CaseIterable, Sendable {
        case wifi
        case wired
        case cell
        /// No connection at all.
        case unavailable
        /// Connected by something that is none of the others, or not known to be connected.
        case unknown
    }

    /// The values of `view.lifecycle`.
    public enum ViewLifecycle: String, CaseIterable, Sendable {
        case body
        case onAppear
        case onDisappear
    }
}
