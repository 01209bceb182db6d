import AstrolabeDelivery
import AstrolabeGzip
import AstrolabeOTLP
import AstrolabeTelemetryModel

extension OTLPRequest {
    /// The names of the spans in the body, decoded as by a server.
    func spanNames() throws -> [String] {
        try OTLPDecoder.traces(protobuf: plainBody()).flatMap { $0.scopes.flatMap { $0.records.map(\.name) } }
    }

    /// The body without compression.
    func plainBody() throws -> [UInt8] {
        headers["Content-Encoding"] == "gzip" ? try GzipCoder.decompress(body, limit: 1 << 24) : body
    }
}
