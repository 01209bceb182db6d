import AstrolabeTelemetryModel
import ConsoleModel
import HTTPTypes

/// A page of a trace for a reader who cannot take all of it: spans in the order of the tree, each with its events.
///
///     GET /api/v1/traces/{trace}/parts?span=00f067aa0ba902b7&offset=100&limit=200
///
/// The page ends after `limit` items or where it would be too long. The first page of the whole trace has a summary.
struct TracePart {
    enum Item {
        case span(TraceNode)
        case event(EventRecord)
    }

    /// The size in bytes at which a page ends. It has one item at least.
    private static let longestPage = 150 << 10

    let trace: TraceDetail
    let start: UInt64
    /// The summary; `nil` if this is not the first page, or not of the whole trace.
    let outline: TraceOutline?
    /// The number of items of all pages.
    let count: Int
    let offset: Int
    /// The items as JSON.
    let items: [JSONText]
    let origins: [Int64: Origin]
    let scopes: [Int64: Scope]

    /// The offset of the next page.
    var next: Int? { offset + items.count < count ? offset + items.count : nil }

    init(of trace: TraceDetail, _ query: QueryReader) throws {
        self.trace = trace
        start = trace.startUnixNano
        let limit = Int(try query.number("limit", within: 1...1_000) ?? 100)
        offset = Int(try query.number("offset", within: 0...1_000_000) ?? 0)
        let span = query.text("span")
        let all = Self.items(of: trace, in: try Self.range(of: span, in: trace), hasRest: span == nil)
        count = all.count
        outline = span == nil && offset == 0 ? TraceOutline(trace) : nil
        var items: [JSONText] = []
        var origins: [Int64: Origin] = [:]
        var scopes: [Int64: Scope] = [:]
        var size = 0
        for item in all.dropFirst(offset).prefix(limit) {
            var text = JSONText(capacity: 500)
            text.append(item, of: trace, since: start)
            size += text.bytes.count
            if origins[item.origin] == nil { size += Self.size(trace.origins[item.origin]?.attributesText) }
            if scopes[item.scope] == nil { size += Self.size(trace.scopes[item.scope]?.attributesText) }
            guard items.isEmpty || size <= Self.longestPage else { break }
            items.append(text)
            origins[item.origin] = trace.origins[item.origin]
            scopes[item.scope] = trace.scopes[item.scope]
        }
        self.items = items
        self.origins = origins
        self.scopes = scopes
    }

    /// About the size of an origin or scope as JSON.
    private static func size(_ attributes: String?) -> Int { (attributes?.utf8.count ?? 0) + 200 }

    /// Returns the places of a span and those below it, or of all spans.
    private static func range(of id: String?, in trace: TraceDetail) throws -> Range<Int> {
        guard let id else { return trace.spans.indices }
        let wanted = SpanID(hex: id.lowercased())
        guard let place = trace.spans.firstIndex(where: { $0.span.spanID == wanted }) else {
            throw APIFailure(
                .notFound, "span \(id.prefix(40)) not found in this trace; expected 16 hexadecimal digits")
        }
        return place..<place + trace.spans[place].descendants + 1
    }

    /// - Parameter hasRest: Whether to add the events whose span is not in the trace.
    private static func items(of trace: TraceDetail, in range: Range<Int>, hasRest: Bool) -> [Item] {
        var events = Dictionary(grouping: trace.events, by: \.spanID)
        var items: [Item] = []
        for node in trace.spans[range] {
            items.append(.span(node))
            items += (events.removeValue(forKey: node.span.spanID) ?? []).map(Item.event)
        }
        if hasRest { items += trace.events.filter { events[$0.spanID] != nil }.map(Item.event) }
        return items
    }
}

extension TracePart.Item {
    fileprivate var origin: Int64 {
        switch self {
        case .span(let node): node.span.origin
        case .event(let event): event.origin
        }
    }

    fileprivate var scope: Int64 {
        switch self {
        case .span(let node): node.span.scope
        case .event(let event): event.scope
        }
    }
}

extension JSONText {
    mutating func append(_ part: TracePart) {
        let trace = part.trace
        object { text in
            text.member("traceId", trace.id.hex)
            text.member("startUs", part.start / 1_000)
            text.member("durationNs", trace.extent?.durationNano ?? 0)
            if let outline = part.outline {
                text.member("summary") { $0.append(outline, of: trace, since: part.start) }
            }
            text.member("count", part.count)
            text.member("offset", part.offset)
            if let next = part.next { text.member("next", next) }
            text.member("items") { $0.array(part.items) { $0.append(json: $1.string) } }
            text.member("origins") { $0.append(part.origins) }
            text.member("scopes") { $0.append(part.scopes) }
        }
    }

    fileprivate mutating func append(_ item: TracePart.Item, of trace: TraceDetail, since start: UInt64) {
        object { text in
            switch item {
            case .span(let node): text.member("span") { $0.append(node, of: trace, since: start, hasParts: false) }
            case .event(let event): text.member("event") { $0.append(event) }
            }
        }
    }
}
