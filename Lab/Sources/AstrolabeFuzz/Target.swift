import AstrolabeGzip
import AstrolabeOTLP
package import AstrolabeTelemetryModel

/// One of the readers under attack.
package enum Target: String, CaseIterable, Sendable {
    case tracesProtobuf = "traces-protobuf"
    case logsProtobuf = "logs-protobuf"
    case metricsProtobuf = "metrics-protobuf"
    case tracesJSON = "traces-json"
    case logsJSON = "logs-json"
    case metricsJSON = "metrics-json"
    case gzip

    package init(_ signal: RequestSignal, _ encoding: Encoding) {
        switch (signal, encoding) {
        case (.traces, .protobuf): self = .tracesProtobuf
        case (.logs, .protobuf): self = .logsProtobuf
        case (.metrics, .protobuf): self = .metricsProtobuf
        case (.traces, .json): self = .tracesJSON
        case (.logs, .json): self = .logsJSON
        case (.metrics, .json): self = .metricsJSON
        }
    }

    /// The size limit of a decompressed body.
    static let decompressedLimit = 1 << 20
}

/// The outcome of an input.
package enum Outcome: Sendable {
    case decoded(Decoded)
    case decompressed([UInt8])
    /// A fault, with where it is, for the readers that say so.
    case refused(reason: String, offset: Int?)
}

/// A decoded request of any kind.
package enum Decoded: Hashable, Sendable {
    case traces([ResourceGroup<SpanData>])
    case logs([ResourceGroup<LogRecordData>])
    case metrics([ResourceGroup<MetricData>])
}

extension Target {
    /// Reads `bytes` as this target does.
    package func read(_ bytes: [UInt8]) -> Outcome {
        do throws(OTLPDecodingError) {
            switch self {
            case .tracesProtobuf: return .decoded(.traces(try OTLPDecoder.traces(protobuf: bytes)))
            case .logsProtobuf: return .decoded(.logs(try OTLPDecoder.logs(protobuf: bytes)))
            case .metricsProtobuf: return .decoded(.metrics(try OTLPDecoder.metrics(protobuf: bytes)))
            case .tracesJSON: return .decoded(.traces(try OTLPDecoder.traces(json: bytes)))
            case .logsJSON: return .decoded(.logs(try OTLPDecoder.logs(json: bytes)))
            case .metricsJSON: return .decoded(.metrics(try OTLPDecoder.metrics(json: bytes)))
            case .gzip: return Self.decompress(bytes)
            }
        } catch {
            return .refused(reason: error.reason, offset: error.offset)
        }
    }

    private static func decompress(_ bytes: [UInt8]) -> Outcome {
        do throws(GzipError) {
            return .decompressed(try GzipCoder.decompress(bytes, limit: decompressedLimit))
        } catch {
            return .refused(reason: error.description, offset: nil)
        }
    }
}
