import AstrolabeSemantics
import AstrolabeTelemetryModel

/// The names that other SDKs use for what the console knows by the names of ``AttributeKey`` and ``EventName``.
///
/// Each row cites the project and the version whose source has the name.
enum ConventionTable {
    /// An attribute that is copied to the console's name, unless the record has that already.
    struct AttributeRow: Sendable {
        let foreign: String
        let canonical: String
        var transform = Transform.none
        let source: String

        init(_ foreign: String, _ canonical: String, _ transform: Transform = .none, from source: String) {
            self.foreign = foreign
            self.canonical = canonical
            self.transform = transform
            self.source = source
        }
    }

    enum Transform: Sendable {
        case none
        /// The path of a URL.
        case path
        /// The value is a constant, whatever the foreign attribute has.
        case constant(AttributeValue)
    }

    /// A record that means an event of the console's.
    ///
    /// A log record gets the event's name, and keeps its own in ``originalName``. A span stays as it is, and an event
    /// is added.
    struct EventRow: Sendable {
        enum Signal: Sendable { case log, span }

        let signal: Signal
        /// The attribute that tells the record; empty for its name.
        let key: String
        let value: String
        /// The scope of the record; `nil` for any.
        var scope: String?
        /// The smallest severity. A record without a severity always has enough.
        var severity: Int32 = 0
        let event: String
        var copies: [(foreign: String, canonical: String)] = []
        var constants: Attributes = [:]
        /// The attribute for the duration of the span in seconds; `nil` for none.
        var duration: String?
        let source: String
    }

    /// The name under which a log record was sent.
    static let originalName = "astrolabe.convention.original_name"
    /// The source of the row by which a record was recognised. It marks records and events that the console changed.
    static let marker = "astrolabe.convention.source"

    static let android = "opentelemetry-android 1.6.0"
    static let olderAndroid = "opentelemetry-android 0.9.0"
    static let swift = "opentelemetry-swift 2.5.2"
    static let honeycombSwift = "honeycomb-opentelemetry-swift 2.4.2"
    static let honeycombAndroid = "honeycomb-opentelemetry-android 1.0.0"
    static let honeycombWeb = "honeycomb-opentelemetry-web 1.3.1"
    static let browser = "opentelemetry-browser 0.7.0"
    static let embraceAndroid = "embrace-android-sdk 9.2.0"
    static let embraceApple = "embrace-apple-sdk 6.21.0"

    static let resourceAttributes: [AttributeRow] = [
        // DeviceResourceProvider.
        AttributeRow("device.id", AttributeKey.appInstallationID, from: swift),
        // BrowserAttributesResource.
        AttributeRow("browser.name", AttributeKey.deviceModelName, from: honeycombWeb),
        // The resource of every SDK in a browser has this language.
        AttributeRow(
            "telemetry.sdk.language", AttributeKey.deviceManufacturer, .constant("Web browser"), from: browser),
    ]

    static let recordAttributes: [AttributeRow] = [
        // SemconvCompat has the older name.
        AttributeRow("screen.name", AttributeKey.appScreenName, from: honeycombSwift),
        // NavigationEmitter.
        AttributeRow("app.navigation.destination.name", AttributeKey.appScreenName, from: android),
        // BrowserAttributesSpanProcessor.
        AttributeRow("page.route", AttributeKey.appScreenName, from: honeycombWeb),
    ]

    static let events: [EventRow] = [
        // CrashReporter. The current name is the console's.
        EventRow(
            signal: .log, key: "", value: "device.crash", event: EventName.appCrash, source: olderAndroid),
        // Honeycomb.logException, which handled exceptions use too, with the severity ERROR.
        EventRow(
            signal: .log, key: "event.name", value: "device.crash", severity: 21, event: EventName.appCrash,
            source: honeycombAndroid),
        // AnrWatcher. It reports once in 5 s and has no duration, so this is the least that it was.
        EventRow(
            signal: .log, key: "", value: "device.anr", event: EventName.hang,
            constants: [AttributeKey.astrolabeHangDuration: 5.0], source: android),
        // AnrWatcher.
        EventRow(
            signal: .span, key: "", value: "ANR", event: EventName.hang,
            copies: [(AttributeKey.exceptionStacktrace, AttributeKey.exceptionStacktrace)],
            constants: [AttributeKey.astrolabeHangDuration: 5.0], source: olderAndroid),
        // SpanBasedJankReporter.
        EventRow(
            signal: .span, key: "", value: "slowRenders", event: EventName.appJank,
            copies: [("count", AttributeKey.appJankFrameCount), ("activity.name", AttributeKey.appScreenName)],
            constants: [AttributeKey.appJankThreshold: 0.016], source: olderAndroid),
        EventRow(
            signal: .span, key: "", value: "frozenRenders", event: EventName.appJank,
            copies: [("count", AttributeKey.appJankFrameCount), ("activity.name", AttributeKey.appScreenName)],
            constants: [AttributeKey.appJankThreshold: 0.7], source: olderAndroid),
        // MetricKitInstrumentation.
        EventRow(
            signal: .log, key: "", value: "metrickit.diagnostic.crash", event: EventName.appCrash, source: swift),
        EventRow(
            signal: .log, key: "", value: "metrickit.diagnostic.hang", event: EventName.hang,
            copies: [("metrickit.diagnostic.hang.hang_duration", AttributeKey.astrolabeHangDuration)], source: swift),
        // MetricKitSubscriber names its log records in an attribute.
        EventRow(
            signal: .log, key: "name", value: "metrickit.diagnostic.crash", event: EventName.appCrash,
            copies: [
                ("metrickit.diagnostic.crash.exception.objc.name", AttributeKey.exceptionType),
                ("metrickit.diagnostic.crash.exception.objc.message", AttributeKey.exceptionMessage),
                ("metrickit.diagnostic.crash.exception.mach_exception.name", AttributeKey.exceptionType),
                ("metrickit.diagnostic.crash.exception.mach_exception.description", AttributeKey.exceptionMessage),
                ("metrickit.diagnostic.crash.exception.signal.name", AttributeKey.exceptionType),
                ("metrickit.diagnostic.crash.exception.stacktrace_json", AttributeKey.exceptionStacktrace),
            ], source: honeycombSwift),
        EventRow(
            signal: .log, key: "name", value: "metrickit.diagnostic.hang", event: EventName.hang,
            copies: [
                ("metrickit.diagnostic.hang.hang_duration", AttributeKey.astrolabeHangDuration),
                ("metrickit.diagnostic.hang.exception.stacktrace_json", AttributeKey.exceptionStacktrace),
            ], source: honeycombSwift),
        // ErrorsInstrumentation: uncaught errors and unhandled rejections.
        EventRow(
            signal: .log, key: "", value: "exception", scope: "@opentelemetry/browser-instrumentation/errors",
            event: EventName.appCrash, source: browser),
        // GlobalErrorsInstrumentation.
        EventRow(
            signal: .span, key: "", value: "exception", scope: "@honeycombio/instrumentation-global-errors",
            event: EventName.appCrash, source: honeycombWeb),
        // NavigationInstrumentation.
        EventRow(
            signal: .log, key: "", value: "browser.navigation", event: EventName.appScreenViewDidAppear,
            source: browser),
        // EmbType and SpanType.
        EventRow(
            signal: .log, key: "emb.type", value: "sys.android.crash", event: EventName.appCrash,
            source: embraceAndroid),
        EventRow(
            signal: .log, key: "emb.type", value: "sys.android.native_crash", event: EventName.appCrash,
            source: embraceAndroid),
        EventRow(
            signal: .log, key: "emb.type", value: "sys.ios.crash", event: EventName.appCrash, source: embraceApple),
        EventRow(
            signal: .span, key: "emb.type", value: "perf.thread_blockage", event: EventName.hang,
            duration: AttributeKey.astrolabeHangDuration, source: embraceAndroid),
        EventRow(
            signal: .span, key: "emb.type", value: "ux.view", event: EventName.appScreenViewDidAppear,
            copies: [("view.name", AttributeKey.appScreenName)], source: embraceAndroid),
    ]

    /// Copies for log records of one event, by the name under which they were sent.
    static let eventAttributes: [String: AttributeRow] = [
        "browser.navigation": AttributeRow("url.full", AttributeKey.appScreenName, .path, from: browser)
    ]
}
