import AstrolabeDelivery
import AstrolabeGzip
import AstrolabeOTLP
import AstrolabeTelemetryModel
import Foundation

/// A record as it arrived: what it says of itself.
struct ReceivedRecord: Sendable, Hashable {
    let number: UInt64
    let kind: RecordKind
    /// Nanoseconds since 1970.
    let time: UInt64
}

/// The receiving end, in this process: it decompresses and decodes what a server would, and believes nothing.
enum FleetCollector {
    /// Why a request is not what a device should send.
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    /// Bytes that a body may have once it is decompressed.
    private static let bodyLimit = 1 << 24

    /// Reads a request of the device's.
    ///
    /// - Throws: `Fault` where it cannot be decoded, or holds what is not this device's.
    static func read(_ request: OTLPRequest, from device: Int) throws -> [ReceivedRecord] {
        let isCompressed = request.headers["Content-Encoding"] == "gzip"
        let body = isCompressed ? try GzipCoder.decompress(request.body, limit: bodyLimit) : request.body
        var records: [ReceivedRecord] = []
        switch request.url.lastPathComponent {
        case "traces":
            for group in try OTLPDecoder.traces(protobuf: body) {
                try check(group.resource, device)
                for span in group.scopes.lazy.flatMap(\.records) {
                    guard span.context.traceID.high == RecordWriter.traceHigh(of: device) else {
                        throw Fault(
                            description: "device \(device) sent a span of the trace \(span.context.traceID.hex)")
                    }
                    records.append(
                        ReceivedRecord(number: span.context.spanID.value, kind: .span, time: span.endTimeUnixNano))
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
                        throw Fault(description: "expected a gauge of one point, got \(metric.data)")
                    }
                    let number = try number(points[0].attributes[RecordWriter.uid], device)
                    records.append(ReceivedRecord(number: number, kind: .metric, time: points[0].timeUnixNano))
                }
            }
        default: throw Fault(description: "expected a path of OTLP/HTTP, got \(request.url.path)")
        }
        return records
    }

    private static func check(_ resource: Resource, _ device: Int) throws(Fault) {
        guard resource.attributes[RecordWriter.device]?.intValue == Int64(device) else {
            throw Fault(description: "device \(device) sent records under the resource \(resource.attributes)")
        }
    }

    /// `<device>.<number>`.
    private static func number(_ uid: AttributeValue?, _ device: Int) throws(Fault) -> UInt64 {
        let parts = (uid?.stringValue ?? "").split(separator: ".")
        guard parts.count == 2, Int(parts[0]) == device, let number = UInt64(parts[1]) else {
            throw Fault(description: "device \(device) sent a record with the id \(uid ?? .empty)")
        }
        return number
    }
}
