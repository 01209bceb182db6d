/// The names of metrics, with their instrument and unit.
public enum MetricName {
    /// The duration of requests, as their client sees it.
    ///
    /// Histogram, seconds. Carries ``AttributeKey/httpRequestMethod``, ``AttributeKey/serverAddress``,
    /// ``AttributeKey/serverPort``, ``AttributeKey/httpResponseStatusCode`` and ``AttributeKey/errorType``. Stable.
    public static let httpClientRequestDuration = "http.client.request.duration"

    /// The duration of requests, as their server sees it.
    ///
    /// Histogram, seconds. Carries ``AttributeKey/httpRequestMethod``, ``AttributeKey/httpRoute``,
    /// ``AttributeKey/urlScheme``, ``AttributeKey/httpResponseStatusCode`` and ``AttributeKey/errorType``. Stable.
    public static let httpServerRequestDuration = "http.server.request.duration"

    /// Records that the app made since it was installed: the left side of the conservation ledger.
    ///
    /// At every quiet moment it equals ``recordsDelivered`` plus ``recordsPending`` plus ``recordsNotSent`` plus
    /// ``recordsDropped``.
    ///
    /// Gauge, `{record}`, like the other four. The SDK starts sums again in each process, and the five must balance.
    /// Not in the conventions.
    public static let recordsCreated = "astrolabe.records.created"

    /// Records that a server has acknowledged since the app was installed.
    ///
    /// Gauge, `{record}`. Not in the conventions.
    public static let recordsDelivered = "astrolabe.records.delivered"

    /// Records that are kept on the device and will be sent.
    ///
    /// Gauge, `{record}`. Carries `astrolabe.record.place`. Not in the conventions.
    public static let recordsPending = "astrolabe.records.pending"

    /// Records that the flight recorder holds, or held and overwrote, since the app was installed.
    ///
    /// Gauge, `{record}`. Not in the conventions.
    public static let recordsNotSent = "astrolabe.records.not_sent"

    /// Records that were dropped since the app was installed, each for one reason.
    ///
    /// Gauge, `{record}`. Carries `astrolabe.drop.reason`. Not in the conventions.
    public static let recordsDropped = "astrolabe.records.dropped"

    /// Spans whose export has ended, accepted or dropped.
    ///
    /// Sum, monotonic, `{span}`. Carries `otel.component.type`, `otel.component.name`,
    /// ``AttributeKey/serverAddress``, ``AttributeKey/serverPort`` and, of dropped ones, ``AttributeKey/errorType``. In
    /// development.
    public static let exportedSpans = "otel.sdk.exporter.span.exported"

    /// Log records and events whose export has ended, accepted or dropped.
    ///
    /// Sum, monotonic, `{log_record}`. Carries the attributes of ``exportedSpans``. In development.
    public static let exportedLogRecords = "otel.sdk.exporter.log.exported"

    /// The time that the device had been in a state that it has now left. Its count is that of the changes.
    ///
    /// Histogram, seconds. Carries `astrolabe.conditions.part` and
    /// `astrolabe.conditions.state`, the one left. Not in the conventions.
    public static let conditionsDuration = "astrolabe.conditions.duration"

    /// The duration of frames.
    ///
    /// Histogram, seconds. Carries ``AttributeKey/appScreenName``. Not in the conventions.
    public static let frameDuration = "astrolabe.frame.duration"

    /// Changes of the network path.
    ///
    /// Sum, monotonic, `{change}`. Carries `online` (true or false) and `type` (`wifi`, `cellular`, `ethernet`,
    /// `unknown` or `offline`), as they are after the change. Not in the conventions.
    public static let networkStatusChange = "network.status_change"

    /// Steps of the app's life.
    ///
    /// Sum, monotonic, `{transition}`. Carries the states `from` and `to`. Not in the conventions.
    public static let appStateTransition = "app.state_transition"
}
