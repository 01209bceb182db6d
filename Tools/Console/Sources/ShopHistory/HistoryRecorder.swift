import AstrolabePlatform
import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeTelemetryModel
import AstrolabeWire

/// Records with the SDK at the times of the history, for one phone after the other and for the shop's backend.
final class HistoryRecorder {
    let phone: RecordingSide
    let backend: RecordingSide
    private let backendResource = EncodedResource(
        Resource(attributes: [
            AttributeKey.serviceName: "shop-server", AttributeKey.serviceVersion: "1.0.0",
            AttributeKey.osType: "linux", AttributeKey.telemetrySDKName: "astrolabe",
            AttributeKey.telemetrySDKLanguage: "swift", Synthetic.key: true,
        ]))
    private var encoded = EncodedHistory()

    init(seed: UInt64, end: UInt64) {
        phone = RecordingSide("astronomy-shop", firstSeed: seed ^ end, secondSeed: 1)
        backend = RecordingSide("shop-server", firstSeed: seed ^ end, secondSeed: 2)
    }

    /// Bytes that wait for ``takeBatch(sessions:)``.
    var size: Int { encoded.size }

    /// Begins the records of a visit.
    func begin(_ release: AppRelease) {
        phone.begin(version: release.rawValue)
        backend.begin(version: "1.0.0")
    }

    /// Adds the phone's account of its records and encodes the visit.
    ///
    /// - Parameters:
    ///   - ledger: The account before the visit.
    ///   - lost: Records that the phone made and dropped, by reason.
    /// - Returns: The account after the visit.
    func endSession(of owner: Phone, ledger: LedgerSum, lost: [String: Int], at time: UInt64) -> LedgerSum {
        phone.clock.now = time
        let dropped = ledger.dropped.merging(lost) { $0 + $1 }
        let created = ledger.created + phone.recordCount + lost.values.reduce(0, +)
        let meter = phone.meter("astrolabe.delivery")
        meter.gauge(MetricName.recordsCreated, unit: "{record}").record(created)
        meter.gauge(MetricName.recordsDelivered, unit: "{record}").record(created - dropped.values.reduce(0, +))
        for place in ["journal", "queue"] {
            meter.gauge(MetricName.recordsPending, unit: "{record}")
                .record(0, attributes: [AttributeKey.astrolabeRecordPlace: place])
        }
        for (reason, count) in dropped.sorted(by: { $0.key < $1.key }) {
            meter.gauge(MetricName.recordsDropped, unit: "{record}")
                .record(count, attributes: [AttributeKey.astrolabeDropReason: reason])
        }
        phone.collectMetrics()
        backend.clock.now = time
        backend.collectMetrics()
        phone.take(into: &encoded, resource: EncodedResource(owner.resource))
        backend.take(into: &encoded, resource: backendResource)
        return LedgerSum(created: created, dropped: dropped)
    }

    func takeBatch(sessions: Int) -> HistoryBatch {
        defer { encoded = EncodedHistory() }
        return HistoryBatch(
            sessions: sessions, records: encoded.records, traces: encoded.traces, logs: encoded.logs,
            metrics: encoded.metrics)
    }
}

/// A phone's account of its records since it was installed.
struct LedgerSum {
    var created = 0
    /// By reason.
    var dropped: [String: Int] = [:]
}

/// The bodies of requests, to which groups of records are appended: repeated fields of a message may be concatenated.
struct EncodedHistory {
    var traces: [UInt8] = []
    var logs: [UInt8] = []
    var metrics: [UInt8] = []
    var records = 0

    var size: Int { traces.count + logs.count + metrics.count }
}
