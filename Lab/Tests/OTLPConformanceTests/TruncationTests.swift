import AstrolabeFuzz
import AstrolabeOTLP
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Testing

@Suite struct `A request that is cut off` {
    /// The number of cuts after which a test takes no further request.
    private static let enough = Thoroughness.count(2_000, thorough: .max)

    /// A request is made of resource groups, so a cut between two of them leaves a shorter request that is valid.
    @Test(arguments: RequestSignal.allCases)
    func `is refused at every length but those at which a resource group ends`(signal: RequestSignal) throws {
        let target = Target(signal, .protobuf)
        var checked = 0
        for origin in 0..<40 where checked < Self.enough {
            let request = ValidRequests(seed: 7, origin: origin).encoded(signal, .protobuf, oddity: 0)
            guard request.count < 3_000 else { continue }
            for length in 0..<request.count {
                let cut = Array(request.prefix(length))
                let outcome = target.read(cut)
                checked += 1
                if Self.isWholeGroups(cut) {
                    guard case .decoded = outcome else {
                        Issue.record("refused after \(length) bytes of \(request.count): \(outcome)")
                        return
                    }
                } else {
                    guard case .refused(_, let offset?) = outcome, offset <= length else {
                        Issue.record("taken after \(length) bytes of \(request.count)")
                        return
                    }
                }
            }
        }
        #expect(checked >= min(Self.enough, 5_000))
    }

    @Test(arguments: RequestSignal.allCases)
    func `is refused at every length where it is JSON`(signal: RequestSignal) throws {
        let target = Target(signal, .json)
        var checked = 0
        for origin in 0..<20 where checked < Self.enough {
            let request = ValidRequests(seed: 7, origin: origin).encoded(signal, .json, oddity: 5)
            guard request.count < 3_000, let end = request.lastIndex(of: UInt8(ascii: "}")) else { continue }
            checked += end
            for length in 0..<end {
                guard case .refused(_, let offset?) = target.read(Array(request.prefix(length))), offset <= length
                else {
                    Issue.record("taken after \(length) bytes of \(request.count)")
                    return
                }
            }
        }
        #expect(checked > 0)
    }

    /// Returns true if bytes are a sequence of whole length-delimited fields with one-byte tags, as a plain request is.
    private static func isWholeGroups(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while rest.popFirst() != nil {
            var length = 0
            var shift = 0
            repeat {
                guard let byte = rest.popFirst() else { return false }
                length |= Int(byte & 0x7F) << shift
                shift += 7
                if byte < 0x80 { break }
            } while true
            guard rest.count >= length else { return false }
            rest = rest.dropFirst(length)
        }
        return true
    }
}
