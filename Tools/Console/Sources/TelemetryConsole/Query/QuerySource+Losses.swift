import AstrolabeSemantics
import ConsoleModel
import Foundation
import TelemetryQuery

extension QuerySource {
    /// The largest number of devices whose ledgers are read for one answer.
    static let ledgersOfAnswer = 1_000

    /// Says which share of their records the devices lost that sent what a query counts; `nil` if they lost none.
    ///
    /// It reads the columns again only if a ledger in the store reports losses in the query's time.
    nonisolated func losses(of plan: QueryPlan, in columns: QueryColumns) async throws -> String? {
        let window = plan.window
        guard try await store.reportsLosses(from: window.start, to: window.end) else { return nil }
        let devices = try await columns.engine.values(
            of: "resource." + AttributeKey.appInstallationID, in: plan,
            over: columns.segments(of: plan.query.dataset),
        ).compactMap(\.text)
        // Installation ids are random, so the first are a sample.
        let read = devices.sorted().prefix(Self.ledgersOfAnswer)
        let loss = try await store.losses(ofDevices: Array(read), from: window.start, to: window.end)
        return loss.sentence(isSample: read.count < devices.count)
    }
}

extension RecordLoss {
    /// - Returns: `nil` if nothing was dropped.
    fileprivate func sentence(isSample: Bool) -> String? {
        guard droppedTotal > 0, records > 0 else { return nil }
        let reasons = dropped.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let list = reasons.map { reasons.count > 1 ? "\($0.key) \(share(of: $0.value))" : $0.key }
        let whose =
            isSample ? "the records of \(QuerySource.ledgersOfAnswer) of these devices" : "these devices' records"
        return "\(share(of: droppedTotal)) of \(whose) were dropped: \(list.joined(separator: ", "))."
    }

    /// Writes a part of all records in percent, with two digits.
    private func share(of count: Int) -> String {
        let percent = 100 * Double(count) / Double(records)
        if percent < 0.01 { return "less than 0.01 %" }
        return String(format: percent < 10 ? "%.2g" : "%.0f", percent) + " %"
    }
}
