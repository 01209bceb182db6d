import AstrolabeSemantics
package import AstrolabeTelemetryModel
package import ConsoleModel

/// Reads the records of a store's file as OTLP, a page at a time, also while a console writes to the file.
///
///     let export = try StoreExport(path: "console.sqlite", filter: ExportFilter())
///     var position: Int64 = 0
///     while let page = try export.spans(after: position) {
///         write(page.groups)
///         position = page.position
///     }
///
/// It has the records that arrived before it was made and that retention has not removed. A record is as it is stored:
/// a console that receives all of them stores the same.
package struct StoreExport: Sendable {
    private let file: StoreReader
    private let filter: ExportFilter
    /// The position of the last record.
    package let end: Int64

    /// Records that arrived one after the other.
    package struct Page<Record: Sendable & Hashable>: Sendable, Hashable {
        package let groups: [ResourceGroup<Record>]
        /// The number of records, where each point of a metric is one.
        package let records: Int
        /// The start of the next page.
        package let position: Int64
    }

    /// The bounds of a page. A single record may be longer.
    private static let pageRecords = 1_000
    private static let pageBytes = 1 << 20
    /// The number of records of a page that must not end before.
    private static let longestPage = 20_000

    /// - Throws: `StoreError` if there is no file, or another version of the console wrote it.
    package init(path: String, filter: ExportFilter) throws(StoreError) {
        file = try StoreReader(path)
        self.filter = filter
        end = try file.read { try $0.lastSeq() }
    }

    /// Returns the next spans after a position, which is 0 at the start; `nil` if there are none.
    package func spans(after position: Int64) throws(StoreError) -> Page<SpanData>? {
        try page(
            """
            SELECT s.seq, s.resource, s.scope, t.high, t.low, s.span, s.parent, s.flags, s.name, s.kind, s.start,
                s.duration, s.status, s.attributes, s.more
            FROM spans s JOIN traces t ON t.id = s.trace WHERE s.seq > :after AND s.seq <= :end
            """,
            ExportColumns(time: "s.start", resource: "s.resource", session: "s.session", trace: "s.trace"),
            after: position,
        ) { SpanData($0) }
    }

    /// Returns the next log records and events after a position; replay frames are apart.
    package func logs(after position: Int64) throws(StoreError) -> Page<LogRecordData>? {
        try page(
            """
            SELECT l.seq, l.resource, l.scope, t.high, t.low, l.span, l.flags, l.name, l.time, l.observed, l.sent,
                l.severity, l.severity_text, l.dropped, l.body, l.attributes
            FROM logs l LEFT JOIN traces t ON t.id = l.trace AND l.trace <> 0 WHERE l.seq > :after AND l.seq <= :end
            """,
            ExportColumns(time: "l.time", resource: "l.resource", session: "l.session", trace: "l.trace"),
            after: position, keepsCopiesTogether: true,
        ) { LogRecordData($0) }
    }

    /// Returns the next replay frames after a position, as the events that they arrived as.
    ///
    /// What the console corrected in a frame stays corrected.
    package func replays(after position: Int64) throws(StoreError) -> Page<LogRecordData>? {
        try page(
            """
            SELECT r.seq, r.resource, r.scope, r.time, r.attributes, r.frame FROM replays r
            WHERE r.seq > :after AND r.seq <= :end
            """,
            ExportColumns(time: "r.time", resource: "r.resource", session: "r.session", trace: nil),
            after: position,
        ) { LogRecordData(replay: $0) }
    }

    /// Returns the next metric points after a position.
    package func metrics(after position: Int64) throws(StoreError) -> Page<MetricData>? {
        try page(
            """
            SELECT p.seq, e.resource, e.scope, e.name, e.description, e.unit, e.kind, e.temporality, e.monotonic,
                e.metadata, e.attributes, p.time, p.start, p.value, p.integer, p.count, p.histogram, p.exemplars
            FROM points p JOIN series e ON e.id = p.series WHERE p.seq > :after AND p.seq <= :end
            """,
            ExportColumns(time: "p.time", resource: "e.resource", session: "e.session", trace: nil),
            after: position,
        ) { MetricData($0) }
    }

    /// Returns whether no later log record repeats one of a page, which its receiver would take for one of its own.
    private static func isWhole(_ page: ClosedRange<Int64>, _ database: QueryConnection) throws -> Bool {
        try database.integer(
            "SELECT EXISTS (SELECT 1 FROM logs WHERE original BETWEEN ? AND ? AND seq > ?)",
            [page.lowerBound, page.upperBound, page.upperBound],
        ) == 0
    }

    /// - Parameters:
    ///   - sql: A query whose first columns are the sequence number, the resource and the scope.
    ///   - keepsCopiesTogether: Whether the records are log records, whose equal ones are on one page.
    ///   - record: Reads the columns after these; `nil` if a column has what the console did not write.
    private func page<Record>(
        _ sql: String, _ columns: ExportColumns, after position: Int64,
        keepsCopiesTogether: Bool = false, _ record: (ExportRow) -> Record?,
    ) throws(StoreError) -> Page<Record>? where Record: Groupable {
        var arguments: QueryArguments = ["after": position, "end": end]
        arguments += filter.arguments
        let query = sql + filter.condition(columns) + " ORDER BY 1"
        return try file.read { database in
            var groups = RecordGroups<Record>()
            var (records, bytes, last) = (0, 0, position)
            try database.forEachRow(query, arguments) { row in
                last = row.integer(0)
                guard let read = record(ExportRow(row)) else {
                    throw StoreError.failed(detail: "record \(last) cannot be read")
                }
                groups.append(read, resource: row.integer(1), scope: row.integer(2))
                records += 1
                bytes += row.textBytes
                if records < Self.pageRecords && bytes < Self.pageBytes { return true }
                guard keepsCopiesTogether, records < Self.longestPage else { return false }
                return try !Self.isWhole(position + 1...last, database)
            }
            guard records > 0 else { return nil }
            return Page(groups: try groups.read(from: database), records: records, position: last)
        }
    }
}

/// A record that can be added to others of the same scope.
protocol Groupable: Sendable, Hashable {
    /// Adds the record to `records`, which have the same scope.
    func add(to records: inout [Self])
}

extension Groupable {
    func add(to records: inout [Self]) { records.append(self) }
}

extension SpanData: Groupable {}
extension LogRecordData: Groupable {}

/// Records by resource and scope, in the order in which these appear.
private struct RecordGroups<Record: Groupable> {
    private var groups: [(resource: Int64, scopes: [(scope: Int64, records: [Record])])] = []
    private var places: [[Int64]: (group: Int, scope: Int)] = [:]

    mutating func append(_ record: Record, resource: Int64, scope: Int64) {
        let place = places[[resource, scope]] ?? addScope(resource, scope)
        record.add(to: &groups[place.group].scopes[place.scope].records)
    }

    private mutating func addScope(_ resource: Int64, _ scope: Int64) -> (group: Int, scope: Int) {
        let group = groups.firstIndex { $0.resource == resource } ?? groups.count
        if group == groups.count { groups.append((resource, [])) }
        groups[group].scopes.append((scope, []))
        let place = (group, groups[group].scopes.count - 1)
        places[[resource, scope]] = place
        return place
    }

    func read(from database: QueryConnection) throws -> [ResourceGroup<Record>] {
        let origins = try database.origins(groups.map(\.resource))
        let scopes = try database.scopes(groups.flatMap { $0.scopes.map(\.scope) })
        return groups.map { group in
            let origin = origins[group.resource]
            return ResourceGroup(
                resource: Resource(
                    attributes: origin?.attributes ?? [:],
                    droppedAttributesCount: UInt32(clamping: origin?.droppedAttributes ?? 0)),
                schemaURL: origin?.schemaURL ?? "",
                scopes: group.scopes.map { entry in
                    let scope = scopes[entry.scope]
                    return ScopeGroup(
                        scope: InstrumentationScope(
                            name: scope?.name ?? "", version: scope?.version ?? "",
                            attributes: scope.flatMap { JSONText.attributes(in: $0.attributesText) } ?? [:],
                            droppedAttributesCount: UInt32(clamping: scope?.droppedAttributes ?? 0)),
                        schemaURL: scope?.schemaURL ?? "", records: entry.records)
                })
        }
    }
}
