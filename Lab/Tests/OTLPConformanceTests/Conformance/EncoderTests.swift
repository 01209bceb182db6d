import AstrolabeFuzz
import AstrolabeOTLP
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Foundation
import Testing

/// Values of all of OTLP, written here, and read here and by the official messages.
@Suite struct `What the encoder writes` {
    @Test(arguments: RequestSignal.allCases)
    func `is read as it was in both encodings`(signal: RequestSignal) throws {
        for origin in 0..<Thoroughness.count(100, thorough: 20_000) {
            let (decoded, original) = try Self.valid(signal, origin)
            for encoding in Encoding.allCases {
                let read = try #require(Self.read(decoded.encoded(encoding), signal, encoding), "request \(origin)")
                #expect(Canonical(read).difference(from: original) == nil, "request \(origin), \(encoding)")
            }
        }
    }

    @Test(
        .enabled(if: OfficialMessages.python != nil, OfficialMessages.skipReason), arguments: RequestSignal.allCases)
    func `is what the official messages read in both encodings`(signal: RequestSignal) throws {
        try OfficialMessages.withFolder { folder in
            var written: [(original: Canonical, file: URL)] = []
            for origin in 0..<Thoroughness.count(40, thorough: 150) {
                let (decoded, original) = try Self.valid(signal, origin)
                for (encoding, suffix) in [(Encoding.protobuf, "bin"), (.json, "json")] {
                    let file = folder.appendingPathComponent("\(origin).\(suffix)")
                    try Data(decoded.encoded(encoding)).write(to: file)
                    written.append((original, file))
                }
            }
            let described = try OfficialMessages.describe(signal.rawValue, written.map(\.file))
            #expect(described.count == written.count)
            for ((original, file), theirs) in zip(written, described) {
                #expect(theirs.difference(from: original) == nil, "\(file.lastPathComponent)")
            }
        }
    }

    private static func valid(_ signal: RequestSignal, _ origin: Int) throws -> (Decoded, Canonical) {
        let request = ValidRequests(seed: 17, origin: origin).encoded(signal, .protobuf, oddity: 0)
        let decoded = try #require(read(request, signal, .protobuf))
        return (decoded, Canonical(decoded))
    }

    private static func read(_ bytes: [UInt8], _ signal: RequestSignal, _ encoding: Encoding) -> Decoded? {
        guard case .decoded(let decoded) = Target(signal, encoding).read(bytes) else { return nil }
        return decoded
    }
}

extension Decoded {
    fileprivate func encoded(_ encoding: Encoding) -> [UInt8] {
        switch (self, encoding) {
        case (.traces(let groups), .protobuf): OTLPEncoder.protobuf(groups)
        case (.traces(let groups), .json): OTLPEncoder.json(groups)
        case (.logs(let groups), .protobuf): OTLPEncoder.protobuf(groups)
        case (.logs(let groups), .json): OTLPEncoder.json(groups)
        case (.metrics(let groups), .protobuf): OTLPEncoder.protobuf(groups)
        case (.metrics(let groups), .json): OTLPEncoder.json(groups)
        }
    }
}
