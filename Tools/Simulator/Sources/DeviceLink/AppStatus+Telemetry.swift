package import Astrolabe
import AstrolabeTelemetryModel
import Foundation

extension AppStatus {
    /// The current status of the SDK.
    package init(of telemetry: Telemetry) async {
        let report = await telemetry.report
        let ledger = report.ledger
        let dropped = ledger.dropped.reduce(into: [String: Int]()) { $0[$1.key.rawValue] = $1.value }
        self.init(
            mode: "off",
            ledger: Ledger(
                created: ledger.created, delivered: ledger.delivered, inJournal: ledger.inJournal,
                inQueue: ledger.inQueue, notSent: ledger.notSent, dropped: dropped,
            ),
            queue: report.queued.reduce(into: [:]) { $0[$1.key.name] = $1.value },
            blockers: report.blockers.map(\.description), requests: report.requests, bytesSent: report.bytesSent,
            lastUpload: report.lastUpload?.timeIntervalSince1970, lastFailure: report.lastFailure,
            session: telemetry.session.current?.id,
            screen: telemetry.screenName,
        )
        isSampledOut = telemetry.isSessionSampled.map { !$0 }
        if let state = report.recorder {
            var recorder = Recorder()
            (recorder.records, recorder.bytes, recorder.capacity) = (state.records, state.bytes, state.capacity)
            recorder.oldest = state.oldest?.timeIntervalSince1970
            recorder.promoted = state.promoted
            (recorder.promotedBytes, recorder.dailyBytes) = (state.promotedBytes, state.dailyBytes)
            recorder.refused = state.refused
            if !state.isWithinHour { recorder.off = "it has written its bytes of this hour" }
            self.recorder = recorder
        }
        if let decision = telemetry.policyDecision {
            mode = decision.mode.rawValue
            reasons = decision.reasons.map(\.description)
            samplingRate = decision.samplingRate
            flushInterval = decision.flushInterval / .seconds(1)
            upload = decision.upload.strategy.rawValue
            if !decision.isRecorderOn {
                recorder?.off = decision.mode == .minimal ? "the mode is minimal" : "memory is critical"
            }
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
