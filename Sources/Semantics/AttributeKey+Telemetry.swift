/// The SDK that sent the telemetry, and the id that tells a record from its copy.
extension AttributeKey {
    /// The SDK's name; `opentelemetry` is reserved for the project's own SDKs.
    ///
    /// String, such as `astrolabe`. Stable.
    public static let telemetrySDKName = "telemetry.sdk.name"

    /// The SDK's version.
    ///
    /// String, such as `0.1.0`. Stable.
    public static let telemetrySDKVersion = "telemetry.sdk.version"

    /// The language the SDK is for.
    ///
    /// String, such as `swift`. Stable.
    public static let telemetrySDKLanguage = "telemetry.sdk.language"

    /// The name of the distribution the SDK came in, where it is a distribution.
    ///
    /// String, such as `honeycomb-opentelemetry-swift`. Stable.
    public static let telemetryDistroName = "telemetry.distro.name"

    /// The version of the distribution.
    ///
    /// String, such as `2.1.0`. Stable.
    public static let telemetryDistroVersion = "telemetry.distro.version"

    /// The kind of the SDK's component that a metric is about.
    ///
    /// String, such as `otlp_http_span_exporter`. In development.
    package static let otelComponentType = "otel.component.type"

    /// The component that a metric is about, unique in its SDK.
    ///
    /// String, such as `otlp_http_span_exporter/0`. In development.
    package static let otelComponentName = "otel.component.name"

    /// One log record or event; two with the same value are the same record, sent twice.
    ///
    /// String, such as `01ARZ3NDEKTSV4RRFFQ69G5FAV`. In development.
    public static let logRecordUID = "log.record.uid"
}
