import AstrolabeSemantics
import AstrolabeTelemetryModel
import ConsoleModel

/// The rows of one request, encoded on the request's own thread so that the writer only copies bytes.
///
/// All text is in one buffer, and rows refer to ranges of it. Resources, scopes and names are stored once, and rows
/// refer to them by index.
struct PreparedBatch: Sendable {
    var text = JSONText()
    var resources: [ResourceRow] = []
    var scopes: [ScopeRow] = []
    var sessions = NameList()
    var screens = NameList()
    var triggers = NameList()
    var spans: [SpanRow] = []
    var logs: [LogRow] = []
    var series: [SeriesRow] = []
    var points: [PointRow] = []
    var replays: [ReplayRow] = []
    var rejection = Rejection()

    var recordCount: Int { spans.count + logs.count + points.count + replays.count }

    /// A range of `text`; empty if the row does not have the part.
    struct Slice: Sendable {
        var start: Int32 = 0
        var count: Int32 = 0
    }

    struct ResourceRow: Sendable {
        let hash: StableHash
        let service: String
        let side: OriginSide
        let attributes: String
        let schemaURL: String
        let dropped: UInt32
        /// The index of the session that the resource names, or -1.
        let session: Int32
        /// The value of `app.installation.id`; empty if it is missing or too long.
        let installation: String
    }

    struct ScopeRow: Sendable {
        let hash: StableHash
        let name: String
        let version: String
        let attributes: String
        let schemaURL: String
        let dropped: UInt32
    }

    struct SpanRow: Sendable {
        let traceID: TraceID
        let span: Int64
        let parent: Int64
        let session: Int32
        let screen: Int32
        /// The index of the flight recorder's trigger that the record was sent for, or -1.
        let trigger: Int32
        let resource: Int32
        let scope: Int32
        let kind: UInt8
        let category: RecordCategory
        let status: UInt8
        let isFailedRequest: Bool
        let start: Int64
        let duration: Int64
        let name: Slice
        let attributes: Slice
        let more: Slice
        let flags: UInt32
        /// True if the sender says when the span began or ended, so that it is the same whenever it arrives.
        let hasTime: Bool
        let milestone: MilestoneFinder.Milestone?
    }

    struct LogRow: Sendable {
        let uid: StableHash
        /// The id of the first of several equal records of the request; `nil` for that itself.
        let original: StableHash?
        let traceID: TraceID
        let span: Int64
        let session: Int32
        let screen: Int32
        let trigger: Int32
        let resource: Int32
        let scope: Int32
        let category: RecordCategory
        let severity: Int32
        let time: Int64
        /// The sender's time, which may be 0; `nil` if it is `time`.
        let sent: Int64?
        let name: Slice
        let body: Slice
        let attributes: Slice
        let observed: Int64
        let flags: UInt32
        let severityText: Slice
        let dropped: UInt32
        let milestone: MilestoneFinder.Milestone?
    }

    struct ReplayRow: Sendable {
        let uid: StableHash
        let session: Int32
        let screen: Int32
        let resource: Int32
        let scope: Int32
        let recording: String
        let sequence: Int64
        let isKey: Bool
        let time: Int64
        let frame: Slice
        let attributes: Slice
    }

    struct SeriesRow: Sendable {
        let hash: StableHash
        let name: String
        let description: String
        let unit: String
        let kind: MetricKind
        let temporality: Int32
        let isMonotonic: Bool
        let session: Int32
        let resource: Int32
        let scope: Int32
        let attributes: String
        /// Empty if there is none.
        let metadata: String
        /// The part of a phone's ledger that it counts; `nil` for other series.
        let ledgerPart: PhoneLedger.Part?
    }

    struct PointRow: Sendable {
        let series: Int32
        var time: Int64
        let start: Int64
        let value: Double
        /// The exact value, if it is an integer.
        var integer: Int64?
        /// The number of measurements in a histogram point, or -1.
        let count: Int64
        let histogram: Slice
        let exemplars: Slice
    }
}

/// A list of distinct names.
struct NameList: Sendable {
    private(set) var names: [String] = []
    private var indices: [String: Int32] = [:]

    /// Returns the index of `name`, which is added if it is new; -1 for `nil`.
    mutating func index(of name: String?) -> Int32 {
        guard let name else { return -1 }
        if let index = indices[name] { return index }
        let index = Int32(names.count)
        names.append(name)
        indices[name] = index
        return index
    }
}

/// The number of rejected records, and the reason of the first rejection.
struct Rejection: Sendable, Hashable {
    private(set) var count = 0
    private(set) var reason: String?

    mutating func add(_ records: Int = 1, because reason: @autoclosure () -> String) {
        count += records
        if self.reason == nil { self.reason = reason() }
    }
}

extension Int64 {
    /// Converts nanoseconds to the database's type. Times after the year 2262 are clamped.
    init(nanoseconds: UInt64) {
        self = Int64(clamping: nanoseconds)
    }
}

extension PreparedBatch {
    /// Adds a resource and returns its index.
    mutating func add(_ resource: Resource, schemaURL: String) -> Int32 {
        let attributes = Self.canonicalText(resource.attributes)
        let facts = IndexedAttributes(resource.attributes)
        let rest = Self.identity(schemaURL, resource.droppedAttributesCount)
        resources.append(
            ResourceRow(
                hash: StableHash(attributes + rest),
                service: resource.attributes[AttributeKey.serviceName]?.stringValue ?? "unknown_service",
                side: OriginSide(resource),
                attributes: attributes,
                schemaURL: schemaURL,
                dropped: resource.droppedAttributesCount,
                session: sessions.index(of: facts.session),
                installation: DeviceFacts(resource.attributes).installation,
            )
        )
        return Int32(resources.count - 1)
    }

    mutating func add(_ scope: InstrumentationScope, schemaURL: String) -> Int32 {
        let attributes = Self.canonicalText(scope.attributes)
        var identity = JSONText()
        identity.append(scope.name)
        identity.append(scope.version)
        identity.append(json: attributes)
        identity.append(json: Self.identity(schemaURL, scope.droppedAttributesCount))
        scopes.append(
            ScopeRow(
                hash: StableHash(identity.string), name: scope.name, version: scope.version, attributes: attributes,
                schemaURL: schemaURL, dropped: scope.droppedAttributesCount,
            )
        )
        return Int32(scopes.count - 1)
    }

    /// The part of a resource's or scope's identity that few senders set: nothing if they did not.
    private static func identity(_ schemaURL: String, _ dropped: UInt32) -> String {
        guard !schemaURL.isEmpty || dropped > 0 else { return "" }
        var text = JSONText()
        text.append(schemaURL)
        text.append(dropped)
        return text.string
    }

    /// Appends what `write` writes to the buffer and returns its position.
    mutating func slice(_ write: (inout JSONText) -> Void) -> Slice {
        let start = text.bytes.count
        write(&text)
        return Slice(start: Int32(start), count: Int32(text.bytes.count - start))
    }

    /// Appends a name as plain text without quotes or escapes.
    mutating func slice(plain name: String) -> Slice {
        slice { $0.append(json: name) }
    }

    /// Appends attributes as a JSON object, or nothing if there are none.
    mutating func slice(_ attributes: Attributes) -> Slice {
        attributes.isEmpty ? Slice() : slice { $0.append(attributes) }
    }

    /// Returns text that is the same for equal attributes in any order.
    static func canonicalText(_ attributes: Attributes) -> String {
        var text = JSONText()
        text.append(Attributes(uniqueElements: attributes.sorted { $0.key < $1.key }))
        return text.string
    }
}
