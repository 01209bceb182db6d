import AstrolabePlatform
import AstrolabeTestSupport
import Testing

#if os(Linux)
/// A process that refuses and agrees, or starts and ends the SDK, again and again.
@Suite(.serialized) struct `Many cycles` {
    private static let count = Thoroughness.count(100, thorough: 1_000)

    @Test(arguments: ["toggle", "restart"])
    func `leave no descriptors, memory or files behind`(role: String) throws {
        let collector = try TestCollector()
        defer { collector.kill() }
        let app = KilledApp(collector)
        let process = try app.start(role, String(Self.count))
        var uses: [(descriptors: UInt64, kibibytes: UInt64, bytes: Int)] = []
        while let message = process.receive() { uses.append((message.first, message.second, app.diskBytes)) }
        #expect(process.waitForEnd() == 0)
        print("\(role) after \(Self.count / 10) and \(Self.count) cycles: \(uses)")
        try #require(uses.count == 2)
        #expect(uses[1].descriptors <= uses[0].descriptors + 16)
        #expect(uses[1].kibibytes <= uses[0].kibibytes + 32_768)
        #expect(uses[1].bytes <= uses[0].bytes + (8 << 20))
    }
}
#endif
