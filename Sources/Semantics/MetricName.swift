/// The names of metrics, with their instrument and unit.
public enum MetricName {
    /// How long requests took, as their client sees them.
    ///
    /// Histogram, seconds. Carries ``AttributeKey/httpRequestMethod``, ``AttributeKey/serverAddress``,
    /// ``AttributeKey/serverPort``, ``AttributeKey/httpResponseStatusCode`` and ``AttributeKey/errorType``. Stable.
    public static let httpClientRequestDuration = "http.client.request.duration"

    /// How long requests took, as their server sees them.
    ///
    /// Histogram, seconds. Carries ``AttributeKey/httpRequestMethod``, ``AttributeKey/httpRoute``,
    /// ``AttributeKey/urlScheme``, ``AttributeKey/httpResponseStatusCode`` and ``AttributeKey/errorType``. Stable.
    public static let httpServerRequestDuration = "http.server.request.duration"

    /// Records that the app made: the left side of the conservation ledger.
    ///
    /// At every quiet moment it equals ``recordsDelivered`` plus ``recordsPending`` plus ``recordsDropped``.
    ///
    /// Sum, monotonic, `{record}`. Carries ``AttributeKey/astrolabeRecordKind``. Not in the conventions.
    public static let recordsCreated = "astrolabe.records.created"

    /// Records that a server has acknowledged.
    ///
    /// Sum, monotonic, `{record}`. Carries ``AttributeKey/astrolabeRecordKind``. Not in the conventions.
    public static let recordsDelivered = "astrolabe.records.delivered"

    /// Records that are kept on the device and will be sent.
    ///
    /// Sum, not monotonic, `{record}`. Carries ``AttributeKey/astrolabeRecordKind``. Not in the conventions.
    public static let recordsPending = "astrolabe.records.pending"

    /// Records that were given up, each for one reason.
    ///
    /// Sum, monotonic, `{record}`. Carries ``AttributeKey/astrolabeRecordKind`` and
    /// ``AttributeKey/astrolabeDropReason``. Not in the conventions.
    public static let recordsDropped = "astrolabe.records.dropped"
}
