import AstrolabeWire

/// Requests that try to unfold: as much memory or time as possible for each of their bytes.
package enum HostileRequests {
    package struct Request: Sendable {
        package let name: String
        package let target: Target
        package let bytes: [UInt8]
    }

    /// One of each kind, each about `length` bytes long.
    package static func all(length: Int) -> [Request] {
        protobuf(length) + json(length)
    }

    private static func protobuf(_ length: Int) -> [Request] {
        func records(_ target: Target, _ name: String, _ bytes: [UInt8]) -> Request {
            Request(
                name: name, target: target,
                bytes: delimited(1, delimited(2, repeated(delimited(2, bytes), length))),
            )
        }
        func record(_ target: Target, _ name: String, _ bytes: [UInt8]) -> Request {
            Request(name: name, target: target, bytes: delimited(1, delimited(2, delimited(2, bytes))))
        }
        let ids = delimited(1, Array(1...16)) + delimited(2, Array(1...8))
        let nest = (0..<31).reduce([UInt8]()) { value, _ in delimited(5, delimited(1, value)) }
        return [
            Request(name: "empty resources", target: .tracesProtobuf, bytes: repeated([0x0A, 0], length)),
            Request(
                name: "empty scopes", target: .tracesProtobuf, bytes: delimited(1, repeated([0x12, 0], length)),
            ),
            records(.logsProtobuf, "empty log records", []),
            records(.metricsProtobuf, "empty metrics", []),
            records(.tracesProtobuf, "spans of ids alone", ids),
            record(.tracesProtobuf, "empty events", ids + repeated([0x5A, 0], length)),
            record(.tracesProtobuf, "empty links", ids + repeated([0x6A, 0], length)),
            record(.tracesProtobuf, "empty attributes", ids + repeated([0x4A, 0], length)),
            record(.tracesProtobuf, "many attributes", ids + numbered(length) { delimited(9, delimited(1, $0)) }),
            record(
                .tracesProtobuf, "attributes among other fields",
                ids + numbered(length) { delimited(9, delimited(1, $0)) + [0x50, 0] },
            ),
            record(.logsProtobuf, "empty values", delimited(5, delimited(5, repeated([0x0A, 0], length)))),
            record(
                .logsProtobuf, "nested lists", delimited(5, delimited(5, repeated(delimited(1, nest), length))),
            ),
            record(
                .logsProtobuf, "strings just too long to be inside a String",
                delimited(5, delimited(5, numbered(length) { delimited(1, delimited(1, $0 + Array(1...13))) })),
            ),
            record(.logsProtobuf, "a name given again and again", repeated(delimited(12, Array(1...16)), length)),
            record(
                .logsProtobuf, "a value given again and again", repeated(delimited(5, delimited(5, [])), length),
            ),
            record(
                .logsProtobuf, "a map merged again and again",
                numbered(length) { delimited(5, delimited(6, delimited(1, delimited(1, $0)))) },
            ),
            record(.metricsProtobuf, "empty histogram points", delimited(9, repeated([0x0A, 0], length))),
            record(.metricsProtobuf, "points without a value", delimited(5, repeated([0x0A, 0], length))),
            record(
                .metricsProtobuf, "buckets one by one",
                delimited(9, delimited(1, repeated([0x31, 0, 0, 0, 0, 0, 0, 0, 0], length))),
            ),
            Request(name: "groups", target: .tracesProtobuf, bytes: repeated([0x13, 0x14], length)),
            Request(name: "nested groups", target: .tracesProtobuf, bytes: repeated([0x13], length)),
        ]
    }

    private static func json(_ length: Int) -> [Request] {
        func request(_ target: Target, _ name: String, _ head: String, _ element: String, _ tail: String) -> Request {
            let elements = repeated(Array((element + ",").utf8), length) + Array(element.utf8)
            return Request(
                name: name + " (JSON)", target: target, bytes: Array(head.utf8) + elements + Array(tail.utf8),
            )
        }
        let log = #"{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"#
        let metric = #"{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"#
        return [
            request(.tracesJSON, "empty resources", #"{"resourceSpans":["#, "{}", "]}"),
            request(.tracesJSON, "empty scopes", #"{"resourceSpans":[{"scopeSpans":["#, "{}", "]}]}"),
            request(.logsJSON, "empty log records", String(log.dropLast()), "{}", "]}]}]}"),
            request(.logsJSON, "empty attributes", log + #""attributes":["#, "{}", "]}]}]}]}"),
            request(.logsJSON, "empty values", log + #""body":{"arrayValue":{"values":["#, "{}", "]}}}]}]}]}"),
            request(.logsJSON, "members given again and again", log, #""eventName":"sixteen letters.""#, "}]}]}]}"),
            request(.logsJSON, "escapes", log + #""x":["#, #""\u0041\n""#, "]}]}]}]}"),
            request(
                .metricsJSON, "buckets", metric + #""histogram":{"dataPoints":[{"bucketCounts":["#, "0", "]}]}}]}]}]}",
            ),
            request(.logsJSON, "brackets", #"{"x":"#, "[", ""),
        ]
    }

    private static func repeated(_ bytes: [UInt8], _ length: Int) -> [UInt8] {
        Array(repeatElement(bytes, count: max(1, length / bytes.count)).joined())
    }

    /// As many different elements as fit.
    private static func numbered(_ length: Int, _ element: ([UInt8]) -> [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        var number = 0
        while bytes.count < length {
            bytes += element([0, 7, 14].map { UInt8(number >> $0 & 0x7F) })
            number += 1
        }
        return bytes
    }

    private static func delimited(_ number: UInt32, _ bytes: [UInt8]) -> [UInt8] {
        var message = WireMessage()
        message.bytes(number, bytes)
        return message.bytes
    }
}
