/// The names of the spans that instrumentation starts by itself.
///
/// A name has few values: what varies from one call to the next belongs into an attribute. Each is documented by when
/// its span starts and ends, and what it carries.
public enum SpanName {
    /// A request as its client sees it: `GET`, or `GET /api/products/{id}` where the template of the path is known.
    ///
    /// Starts when the request is handed to the transport; ends when the body of the answer is read, or the request
    /// has failed or was cancelled. Kind `client`. A method the conventions do not know is named `HTTP`.
    public static func httpClient(method: String, template: String? = nil) -> String {
        http(method: method, target: template)
    }

    /// A request as its server sees it: `GET /api/products/{id}`, or `GET` where no route matched.
    ///
    /// Starts when the head of the request is read; ends when the answer is written. Kind `server`. A method the
    /// conventions do not know is named `HTTP`.
    public static func httpServer(method: String, route: String? = nil) -> String {
        http(method: method, target: route)
    }

    /// The life of a view, under the name its developer gave it: `HomeScreen`.
    ///
    /// Starts when the view's place on the screen is made, or when it comes back; ends when it disappears or the app
    /// goes to the background. Kind `client`. Carries `view.name`, `view.type` and the
    /// developer's own attributes.
    public static func view(_ name: String) -> String { name }

    /// One evaluation of a view's body: `HomeScreen.body`, a child of ``view(_:)``.
    ///
    /// Starts when the body begins to be evaluated; ends when it is. Kind `client`. Carries
    /// `view.lifecycle` and `view.body.evaluation`.
    public static func viewBody(_ name: String) -> String { name + ".body" }

    /// The moment a view appears: `HomeScreen.onAppear`, a child of ``view(_:)``.
    ///
    /// Starts when the view appears; ends at once. Kind `client`. Carries `view.lifecycle` and
    /// `view.appear.count`.
    public static func viewOnAppear(_ name: String) -> String { name + ".onAppear" }

    /// The moment a view disappears: `HomeScreen.onDisappear`, a child of ``view(_:)``.
    ///
    /// Starts when the view disappears; ends at once. Kind `client`. Carries `view.lifecycle` and
    /// `view.disappear.count`.
    public static func viewOnDisappear(_ name: String) -> String { name + ".onDisappear" }

    /// The time until a screen is first seen: the compact form of view tracing.
    ///
    /// Starts when the screen's place is made; ends when it first appears. Kind `client`. Carries
    /// ``AttributeKey/appScreenName``.
    public static let appScreenTimeToFirstAppear = "app.screen.time_to_first_appear"

    /// A start of the app, as the person waits for it.
    ///
    /// Starts with the process, or with the SDK if the system had begun the process ahead of time, or when the app
    /// comes back from the background. Ends when the first frame is shown. Kind `internal`. Carries
    /// `astrolabe.start.type`, and `astrolabe.start.is_prewarmed` if it is.
    public static let appStart = "app.start"

    /// The part of a cold start before the SDK's: the system's and the app's own.
    ///
    /// Starts with the process; ends when the SDK begins to start. Kind `internal`.
    public static let appStartProcess = "app.start.process"

    /// The part of a cold start that is the SDK's.
    ///
    /// Starts and ends with the call of `Telemetry.start`. Kind `internal`.
    public static let appStartSDK = "app.start.sdk"

    /// The part of a start that goes to the first frame.
    ///
    /// Starts when the SDK has started, or when the app comes back; ends when the first frame is shown. Kind
    /// `internal`.
    public static let appStartFirstFrame = "app.start.first_frame"

    private static func http(method: String, target: String?) -> String {
        let method = KnownValue.httpMethods.contains(method) ? method : "HTTP"
        guard let target, !target.isEmpty else { return method }
        return method + " " + target
    }
}
