import Astrolabe
import AstrolabeOTLP
import AstrolabeTelemetryModel
import AstrolabeWire
import Foundation

/// Keeps every record as its bytes, and decodes them with the reader that the console uses.
final class MemorySink: RecordSink, @unchecked Sendable {  // the lock orders every access to the state
    private let lock = NSLock()
    private var scopes: [InstrumentationScope] = []
    private var records: [(header: RecordHeader, bytes: [UInt8])] = []

    func register(_ scope: InstrumentationScope) -> ScopeNumber {
        lock.withLock {
            if let index = scopes.firstIndex(of: scope) { return ScopeNumber(rawValue: UInt16(index)) }
            scopes.append(scope)
            return ScopeNumber(rawValue: UInt16(scopes.count - 1))
        }
    }

    func append(_ bytes: UnsafeRawBufferPointer, header: RecordHeader) {
        lock.withLock { records.append((header, Array(bytes))) }
    }

    func removeAll() {
        lock.withLock { records.removeAll() }
    }

    /// Every record as it was given, whatever its kind.
    var bytes: [[UInt8]] { lock.withLock { records.map(\.bytes) } }

    /// In the order in which they ended.
    var spans: [SpanData] {
        get throws { try OTLPDecoder.traces(protobuf: request(.span)).flatMap { $0.scopes.flatMap(\.records) } }
    }

    /// The names of the scopes that have a span of this name.
    func scopes(ofSpan name: String) throws -> [String] {
        try OTLPDecoder.traces(protobuf: request(.span)).flatMap(\.scopes)
            .filter { group in group.records.contains { $0.name == name } }.map(\.scope.name)
    }

    var events: [LogRecordData] {
        get throws { try OTLPDecoder.logs(protobuf: request(.event)).flatMap { $0.scopes.flatMap(\.records) } }
    }

    var metrics: [MetricData] {
        get throws { try OTLPDecoder.metrics(protobuf: request(.metric)).flatMap { $0.scopes.flatMap(\.records) } }
    }

    private func request(_ kind: RecordKind) -> [UInt8] {
        let (scopes, records) = lock.withLock { (self.scopes, self.records) }
        let parts = records.filter { $0.header.kind == kind }.map { record in
            var encoded = EncodedRecords()
            record.bytes.withUnsafeBytes { encoded.append($0) }
            return (scope: EncodedScope(scopes[Int(record.header.scope.rawValue)]), records: encoded)
        }
        return ExportRequest.build(resource: EncodedResource(Resource()), scopes: parts)
    }
}

extension [SpanData] {
    /// The only span of this name.
    func one(_ name: String) throws -> SpanData {
        let found = filter { $0.name == name }
        guard found.count == 1, let span = found.first else {
            throw NotOne(name: name, count: found.count, names: map(\.name))
        }
        return span
    }

    func parent(of span: SpanData) -> SpanData? {
        first { $0.context.spanID == span.parentSpanID && $0.context.traceID == span.context.traceID }
    }

    /// The names from the root to this span: "tap Place Order > CheckoutViewModel.placeOrder > …".
    func path(to span: SpanData) -> String {
        var names = [span.name]
        var current = span
        while let parent = parent(of: current) {
            names.append(parent.name)
            current = parent
        }
        return names.reversed().joined(separator: " > ")
    }
}

struct NotOne: Error, CustomStringConvertible {
    let name: String
    let count: Int
    let names: [String]

    var description: String { "expected one span \(name), found \(count) among \(names)" }
}

extension SpanData {
    /// The message of the exception that was recorded on it.
    var exceptionMessage: String? {
        events.last { $0.name == "exception" }?.attributes["exception.message"]?.stringValue
    }

    func int(_ key: String) -> Int64? { attributes[key]?.intValue }

    func text(_ key: String) -> String? { attributes[key]?.stringValue }
}
