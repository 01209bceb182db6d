import AstrolabeTelemetryModel
import FleetSimulator
import Foundation
import TelemetryBoards
import TelemetryQuery

/// Compares what a console has stored of a fleet with what the fleet's phones know to have arrived.
struct FleetReceipt: Sendable {
    /// The console has more or fewer records than arrived.
    struct Difference: Error, CustomStringConvertible {
        let description: String
    }

    let console: String
    let run: String
    let hours: Int

    /// Prints a line, or throws if the numbers differ. A server that answers no queries is not compared.
    func check(_ arrivals: [RecordKind: Int]) async throws {
        var parts: [String] = []
        for (kind, dataset) in [(RecordKind.span, "spans"), (.event, "events"), (.metric, "metrics")] {
            let arrived = arrivals[kind] ?? 0
            guard let stored = try await count(dataset) else {
                return say("\(console) answers no queries, so what it stored was not counted.")
            }
            guard stored == arrived else {
                throw Difference(
                    description: "\(console) has \(stored) \(dataset) of this fleet; expected \(arrived), which arrived"
                )
            }
            parts.append("\(stored) \(dataset)")
        }
        say("\(console) has every record that arrived, and none twice: " + parts.joined(separator: ", "))
    }

    /// Returns the number of records in a dataset; `nil` if the server does not know queries.
    private func count(_ dataset: String) async throws -> Int? {
        var address = ConsoleAddress()
        address.console = console
        let query = try Query(
            text: "count of \(dataset) where \(FleetReceiver.runKey) = \"\(run)\" last \(hours + 48)h every total raw")
        do {
            return try QueryTable(json: try await address.answer(to: query)).readings.first.map { Int($0.value) } ?? 0
        } catch is ConsoleAddress.Unknown {
            return nil
        }
    }
}
