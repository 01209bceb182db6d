import AstrolabeFuzz
import AstrolabeOTLP
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Foundation
import Testing

@Suite(.enabled(if: OfficialMessages.python != nil, OfficialMessages.skipReason))
struct `The official OTLP messages` {
    @Test func `are read as they were written, in protobuf and in JSON`() throws {
        let count = Thoroughness.count(10, thorough: 40)
        try OfficialMessages.withFolder { folder in
            _ = try OfficialMessages.run("generate.py", [folder.path, String(count)])
            for signal in RequestSignal.allCases {
                for number in 0..<count {
                    let stem = folder.appendingPathComponent("\(signal.rawValue)-\(number)")
                    let description = try Data(contentsOf: stem.appendingPathExtension("canonical.json"))
                    let expected = try #require(Canonical(json: JSONSerialization.jsonObject(with: description)))
                    for (encoding, suffix) in [(Encoding.protobuf, "bin"), (.json, "json")] {
                        let request = Array(try Data(contentsOf: stem.appendingPathExtension(suffix)))
                        let read = try Self.describe(Target(signal, encoding).read(request))
                        #expect(read.difference(from: expected) == nil, "\(stem.lastPathComponent).\(suffix)")
                    }
                }
            }
        }
    }

    /// Requests of this project's own generator, in plain and in odd encodings, read by us and by the official parser.
    @Test(arguments: RequestSignal.allCases)
    func `read what we read`(signal: RequestSignal) throws {
        try OfficialMessages.withFolder { folder in
            var requests: [[UInt8]] = []
            for origin in 0..<Thoroughness.count(40, thorough: 150) {
                let request = ValidRequests(seed: 99, origin: origin)
                    .encoded(signal, .protobuf, oddity: [0, 3, 20][origin % 3])
                requests.append(request)
            }
            let files = try requests.enumerated().map { number, request in
                let file = folder.appendingPathComponent("\(number).bin")
                try Data(request).write(to: file)
                return file
            }
            let described = try OfficialMessages.describe(signal.rawValue, files)
            #expect(described.count == requests.count)
            for (number, (request, theirs)) in zip(requests, described).enumerated() {
                let ours = try Self.describe(Target(signal, .protobuf).read(request))
                #expect(ours.difference(from: theirs) == nil, "request \(number)")
            }
        }
    }

    /// The official parser takes each damaged request that we take, and reads the same. (We refuse more: known fields
    /// of another wire type, ids of another length, buckets that do not fit their bounds.)
    @Test(arguments: RequestSignal.allCases)
    func `take what we take of damaged requests`(signal: RequestSignal) throws {
        try OfficialMessages.withFolder { folder in
            var taken: [(Canonical, URL)] = []
            for number in 0..<Thoroughness.count(1_200, thorough: 6_000) {
                let origin = number / 40
                let plain = ValidRequests(seed: 5, origin: origin).encoded(signal, .protobuf, oddity: 0)
                guard plain.count < 600 else { continue }
                var mutator = Mutator(random: Randomness(seed: 5, stream: UInt64(number)))
                let damaged = mutator.damage(plain, splicing: plain)
                guard case .decoded(let decoded) = Target(signal, .protobuf).read(damaged) else { continue }
                let file = folder.appendingPathComponent("\(number).bin")
                try Data(damaged).write(to: file)
                taken.append((Canonical(decoded), file))
            }
            try #require(taken.count > Thoroughness.count(10, thorough: 100))
            let described = try OfficialMessages.describe(signal.rawValue, taken.map(\.1))
            for ((ours, file), theirs) in zip(taken, described) {
                #expect(ours.difference(from: theirs) == nil, "\(file.lastPathComponent)")
            }
        }
    }

    private static func describe(_ outcome: Outcome) throws -> Canonical {
        guard case .decoded(let decoded) = outcome else { throw NotDecoded(outcome: outcome) }
        return Canonical(decoded)
    }
}

struct NotDecoded: Error {
    let outcome: Outcome
}
