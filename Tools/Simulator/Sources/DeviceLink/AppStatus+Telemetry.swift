package import Astrolabe
import AstrolabeTelemetryModel
import Foundation

extension AppStatus {
    /// The current status of the SDK.
    package init(of telemetry: Telemetry) async {
        let report = await telemetry.report
        let ledger = report.ledger
        var dropped = ledger.dropped.reduce(into: [String: Int]()) { $0[$1.key.rawValue] = $1.value }
        if ledger.notSent > 0 { dropped["not sent"] = ledger.notSent }
        self.init(
            mode: "off",
            ledger: Ledger(
                created: ledger.created, delivered: ledger.delivered, inJournal: ledger.inJournal,
                inQueue: ledger.inQueue, dropped: dropped,
            ),
            queue: report.queued.reduce(into: [:]) { $0[$1.key.name] = $1.value },
            blockers: report.blockers.map(\.description), requests: report.requests, bytesSent: report.bytesSent,
            lastUpload: report.lastUpload?.timeIntervalSince1970, lastFailure: report.lastFailure,
            session: telemetry.session.current?.id,
            screen: telemetry.screenName,
        )
        if let decision = telemetry.policyDecision {
            mode = decision.mode.rawValue
            reasons = decision.reasons.map(\.description)
            samplingRate = decision.samplingRate
            flushInterval = decision.flushInterval / .seconds(1)
            upload = decision.upload.strategy.rawValue
        }
    }
}

extension Priority {
    fileprivate var name: String {
        switch self {
        case .low: "low"
        case .normal: "normal"
        case .high: "high"
        case .critical: "critical"
        }
    }
}
