import AstrolabeDelivery
import AstrolabeGzip
import AstrolabeOTLP
import AstrolabeTelemetryModel
import Foundation

/// A received record.
struct ReceivedRecord: Sendable, Hashable {
    let number: UInt64
    let kind: RecordKind
    /// Nanoseconds since 1970.
    let time: UInt64
}

/// The collector, in this process. It decompresses, decodes and validates requests as a server does.
enum FleetCollector {
    /// An error in a request.
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    /// The largest size of a decompressed body in bytes.
    private static let bodyLimit = 1 << 24

    /// Reads a request of the device.
    ///
    /// - Throws: `Fault` if it cannot be decoded, or contains records of another device.
    static func read(_ request: OTLPRequest, from device: Int) throws -> [ReceivedRecord] {
        let isCompressed = request.headers["Content-Encoding"] == "gzip"
        let body = isCompressed ? try GzipCoder.decompress(request.body, limit: bodyLimit) : request.body
        var records: [ReceivedRecord] = []
        switch request.url.lastPathComponent {
        case "traces":
            for group in try OTLPDecoder.traces(protobuf: body) {
                try check(group.resource, device)
                for span in group.scopes.lazy.flatMap(\.records) {
                    let number = try number(span.attributes[RecordWriter.uid], device)
                    records.append(ReceivedRecord(number: number, kind: .span, time: span.endTimeUnixNano))
                }
            }
        case "logs":
            for group in try OTLPDecoder.logs(protobuf: body) {
                try check(group.resource, device)
                for event in group.scopes.lazy.flatMap(\.records) {
                    let number = try number(event.attributes[RecordWriter.uid], device)
                    records.append(ReceivedRecord(number: number, kind: .event, time: event.timeUnixNano))
                }
            }
        case "metrics":
            for group in try OTLPDecoder.metrics(protobuf: body) {
                try check(group.resource, device)
                for metric in group.scopes.lazy.flatMap(\.records) {
                    guard case .gauge(let points) = metric.data, points.count == 1 else {
                        throw Fault(description: "expected a gauge of one point; found \(metric.data)")
                    }
                    guard case .double(let value) = points[0].value, let number = UInt64(exactly: value) else {
                        throw Fault(description: "expected a record's number; found \(points[0].value)")
                    }
                    records.append(ReceivedRecord(number: number, kind: .metric, time: points[0].timeUnixNano))
                }
            }
        default: throw Fault(description: "expected a path of OTLP/HTTP; found \(request.url.path)")
        }
        return records
    }

    private static func check(_ resource: Resource, _ device: Int) throws(Fault) {
        guard resource.attributes[RecordWriter.device]?.intValue == Int64(device) else {
            throw Fault(description: "device \(device) sent records under the resource \(resource.attributes)")
        }
    }

    /// The number in ``RecordIdentity/uid(_:)``.
    private static func number(_ uid: AttributeValue?, _ device: Int) throws(Fault) -> UInt64 {
        let parts = (uid?.stringValue ?? "").split(separator: ".")
        guard parts.count >= 2, Int(parts[parts.count - 2]) == device, let number = UInt64(parts[parts.count - 1])
        else {
            throw Fault(description: "device \(device) sent a record with the id \(uid ?? .empty)")
        }
        return number
    }
}
