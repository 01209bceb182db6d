import AstrolabeOTLP

/// The services in a compressed export request, each with the number of its spans.
func services(in compressed: [UInt8]) throws -> [String: Int] {
    let body = try OTLPDecoder.decompress(gzip: compressed, limit: 16 << 20)
    let groups = try OTLPDecoder.traces(protobuf: body)
    return groups.reduce(into: [:]) { counts, group in
        let name = group.resource.attributes["service.name"]?.stringValue ?? "unknown"
        counts[name, default: 0] += group.recordCount
    }
}
