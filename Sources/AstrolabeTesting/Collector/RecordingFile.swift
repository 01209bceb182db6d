import AstrolabeOTLP
import AstrolabeTelemetryModel
import Foundation

/// A file with what a collector received: a request of OTLP in JSON on each line, as the OpenTelemetry Collector's file
/// exporter and `astrolabe export` write.
enum RecordingFile {
    /// A request has at most so many records, so that other readers accept it.
    private static let requestRecords = 1_000

    static func bytes(of store: CollectorStore) -> [UInt8] {
        lines(store.spans, OTLPEncoder.json) + lines(store.events, OTLPEncoder.json)
            + lines(store.metrics, OTLPEncoder.json)
    }

    static func read(_ bytes: [UInt8], into store: inout CollectorStore) throws(RecordingFileError) {
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            guard line.contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) else { continue }
            let key = firstKey(of: line)
            do throws(OTLPDecodingError) {
                switch key {
                case "resourceSpans": store.add(try OTLPDecoder.traces(json: Array(line)))
                case "resourceLogs": store.add(try OTLPDecoder.logs(json: Array(line)))
                case "resourceMetrics": store.add(try OTLPDecoder.metrics(json: Array(line)))
                default: break
                }
            } catch {
                throw RecordingFileError(line: index + 1, reason: "\(error)")
            }
            guard ["resourceSpans", "resourceLogs", "resourceMetrics"].contains(key) else {
                throw RecordingFileError(line: index + 1, reason: reason(for: line))
            }
        }
    }

    private static func reason(for line: ArraySlice<UInt8>) -> String {
        "expected a request of OTLP in JSON that starts with \"resourceSpans\", \"resourceLogs\" or "
            + "\"resourceMetrics\", found \(String(decoding: line.prefix(40), as: UTF8.self).debugDescription)"
    }

    /// The text between the first two quotation marks.
    private static func firstKey(of line: ArraySlice<UInt8>) -> String {
        let parts = line.prefix(64).split(
            separator: UInt8(ascii: "\""), maxSplits: 2, omittingEmptySubsequences: false)
        return parts.count == 3 ? String(decoding: parts[1], as: UTF8.self) : ""
    }

    private static func lines<Record>(
        _ records: [Collected<Record>], _ encode: ([ResourceGroup<Record>]) -> [UInt8],
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: records.count, by: requestRecords) {
            let part = records[start..<min(start + requestRecords, records.count)]
            bytes += encode(groups(part)) + [UInt8(ascii: "\n")]
        }
        return bytes
    }

    /// Neighbours of one resource and scope are one group, so that the order of the records remains.
    private static func groups<Record>(_ records: ArraySlice<Collected<Record>>) -> [ResourceGroup<Record>] {
        var groups: [ResourceGroup<Record>] = []
        for record in records {
            if groups.last?.resource != record.resource { groups.append(ResourceGroup(resource: record.resource)) }
            let group = groups.count - 1
            if groups[group].scopes.last?.scope != record.scope {
                groups[group].scopes.append(ScopeGroup(scope: record.scope, schemaURL: record.scope.schemaURL))
            }
            groups[group].scopes[groups[group].scopes.count - 1].records.append(record.record)
        }
        return groups
    }
}

/// A line of a file that is no request.
struct RecordingFileError: Error, LocalizedError, CustomStringConvertible {
    let line: Int
    let reason: String

    var description: String { "line \(line): \(reason)" }
    var errorDescription: String? { description }
}
