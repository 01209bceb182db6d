import Astrolabe
import AstrolabeTelemetryModel
import DeviceLink
import Foundation

/// Reports the SDK's status to the device.
struct StatusReporter: Sendable {
    let telemetry: Telemetry

    /// Sends the status now, and then every second if it has changed, until the task is cancelled.
    func run(to link: AppLink) async {
        var last: AppStatus?
        while !Task.isCancelled {
            let status = await current()
            if status != last, link.send(.status(status)) { last = status }
            try? await Task.sleep(for: .seconds(1))
        }
    }

    func current() async -> AppStatus {
        let report = await telemetry.report
        let ledger = report.ledger
        var status = AppStatus(
            mode: "off",
            ledger: AppStatus.Ledger(
                created: ledger.created, delivered: ledger.delivered, inJournal: ledger.inJournal,
                inQueue: ledger.inQueue,
                dropped: ledger.dropped.reduce(into: [:]) { $0[$1.key.rawValue] = $1.value },
            ),
            queue: report.queued.reduce(into: [:]) { $0[$1.key.name] = $1.value },
            blockers: report.blockers.map(\.description), requests: report.requests, bytesSent: report.bytesSent,
            lastUpload: report.lastUpload?.timeIntervalSince1970, lastFailure: report.lastFailure,
            session: telemetry.session.current?.id,
            screen: telemetry.screenName,
        )
        if let decision = telemetry.decision {
            status.mode = decision.mode.rawValue
            status.reasons = decision.reasons.map(\.description)
            status.samplingRate = decision.samplingRate
            status.flushInterval = decision.flushInterval / .seconds(1)
            status.upload = decision.upload.strategy.rawValue
        }
        return status
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
