import AstrolabeTelemetryModel
import AstrolabeTestSupport
import FleetSimulator
import Foundation
import Testing

@testable import AstrolabeCommands

/// A simulated fleet against a console with a socket and a file.
@Suite(.timeLimit(.minutes(10)))
struct FleetReceiptTests {
    @Test
    func `a console has every record of a fleet's day that arrived, and none twice`() async throws {
        let folder = TemporaryDirectory()
        try await ConsoleSwitch.run(on: folder.path + "/console.sqlite") { address in
            // The second fleet has the same phones, and other records.
            for _ in 0..<2 {
                let receiver = FleetReceiver(url: try #require(URL(string: address)))
                var settings = FleetSettings()
                settings.devices = Thoroughness.count(2, thorough: 4)
                settings.hours = Thoroughness.count(6, thorough: 12)
                settings.start = UInt64((Date().timeIntervalSince1970 - Double(settings.hours) * 3_600) * 1e9)
                settings.receiver = receiver
                let results = try await FleetSimulation(settings).run()
                #expect(results.isSound, "\(results.table)")
                #expect(results.arrivals.count == 3)
                let receipt = FleetReceipt(console: address, run: receiver.runName, hours: settings.hours)
                try await receipt.check(results.arrivals)
                for kind in RecordKind.allCases {
                    var more = results.arrivals
                    more[kind, default: 0] += 1
                    await #expect(throws: FleetReceipt.Difference.self) { try await receipt.check(more) }
                }
            }
        }
    }

    @Test
    func `a server that answers no queries is not compared`() async throws {
        let server = try LoopbackServer { _ in .status(404) }
        defer { server.kill() }
        let receipt = FleetReceipt(console: "http://127.0.0.1:\(server.port)", run: "1", hours: 1)
        try await receipt.check([.span: 1])
    }
}
