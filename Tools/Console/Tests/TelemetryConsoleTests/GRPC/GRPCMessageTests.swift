import AstrolabeSeededRandomness
import NIOCore
import Testing

@testable import ConsoleTransports
@testable import TelemetryConsole

@Suite struct `The message of a gRPC call` {
    private static func read(_ bytes: [UInt8], by size: Int, compression: BodyCompression) -> String {
        var reader = GRPCMessageReader(limit: 32, compression: compression)
        do throws(IngestFailure) {
            for start in stride(from: 0, to: bytes.count, by: size) {
                try reader.receive(ByteBuffer(bytes: bytes[start..<min(start + size, bytes.count)]))
            }
            let message = try reader.end()
            return "\(message.compression) \(Array(message.body.readableBytesView))"
        } catch {
            return error.message
        }
    }

    @Test(arguments: BodyCompression.allCases)
    func `is read alike in pieces of any size, whatever they are`(compression: BodyCompression) {
        var random = SeededGenerator(seed: 22)
        for _ in 0..<5_000 {
            let length = UInt8.random(in: 0...40, using: &random)
            var bytes = [UInt8.random(in: 0...2, using: &random), 0, 0, 0, length]
            bytes += (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
            case 1: bytes += [0]
            case 2: bytes[Int.random(in: 0..<5, using: &random)] = UInt8.random(in: 0...255, using: &random)
            default: break
            }
            let whole = Self.read(bytes, by: max(bytes.count, 1), compression: compression)
            let size = Int.random(in: 1...7, using: &random)
            #expect(Self.read(bytes, by: size, compression: compression) == whole, "\(bytes) by \(size)")
        }
    }

    @Test(arguments: [
        ("1H", 3_600_000_000_000), ("20m", 20_000_000), ("7u", 7_000), ("3n", 3), ("2S", 2_000_000_000),
        ("1M", 60_000_000_000), ("0S", 0), ("99999999H", 3_155_760_000_000_000_000),
    ])
    func `has a deadline in each unit`(text: String, nanoseconds: Int64) {
        #expect(TimeAmount(grpcTimeout: text)?.nanoseconds == nanoseconds)
    }

    @Test(arguments: ["", "S", "5", "-1S", "1X", "1.5S", " 1S", "99999999999S"])
    func `has no deadline if that is not one`(text: String) {
        #expect(TimeAmount(grpcTimeout: text) == nil)
    }
}
