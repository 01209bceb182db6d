import Delivery
import Foundation
import Journal
import OTLP
import Platform
import Policy
import Recording
import Semantics
import TelemetryModel

/// The path of a record behind the recording core: journal, queue and delivery, and what they are asked and told.
struct Pipeline: Sendable {
    let sink: JournalSink
    private let books: QueueBooks

    /// Begins a run in the folder. Throws where there is not even memory for it.
    init(resource: Resource, directory: URL) throws(SystemFailure) {
        let books = QueueBooks(path: directory.appendingPathComponent("queue.db").path)
        var settings = JournalConfiguration(directory: directory.appendingPathComponent("journal").path)
        settings.segmentSize = RecordLimits().recordSize + 8_192
        settings.onRetire = { books.retire($0) }
        let header = EncodedResource(resource, schemaURL: SchemaURL.current)
        sink = JournalSink(try RecordJournal(settings, header: header.fields))
        self.books = books
    }

    /// The service that sees the records to the server; it is not started yet.
    func delivery(for configuration: TelemetryConfiguration, core: RecordingCore, registry: MetricRegistry)
        -> DeliveryService
    {
        var settings = DeliveryService.Settings(endpoint: configuration.endpoint)
        if let interval = configuration.flushInterval { settings.plan.flushInterval = interval }
        var hooks = DeliveryHooks()
        let schedule = CollectionSchedule(interval: configuration.metricInterval)
        let ledgerMetrics = LedgerMetrics(registry: registry)
        hooks.isCollectionDue = { [sink] cause in schedule.isDue(cause) && sink.collects(.metric) }
        hooks.collect = { ledger in
            ledgerMetrics.record(ledger)
            registry.collect()
        }
        hooks.droppedBefore = { [sink] in [.notAdmitted: sink.notAdmittedCount] }
        hooks.diagnose = configuration.diagnose
        let delivery = DeliveryService(
            journal: sink.journal, books: books, transport: URLSessionTransport(), settings: settings, hooks: hooks,
        )
        sink.whenCritical { Task { await delivery.flush(.critical) } }
        return delivery
    }
}

/// When metrics are collected: on their own interval, and whenever somebody asks for a flush.
private final class CollectionSchedule: Sendable {
    private let interval: UInt64
    private let last = Guarded(SystemTime.sinceBoot)

    /// - Parameter interval: Seconds.
    init(interval: Double) {
        self.interval = UInt64(max(interval, 0) * 1e9)
    }

    func isDue(_ cause: FlushCause) -> Bool {
        let now = SystemTime.sinceBoot
        return last.withLock { last in
            switch cause {
            case .requested, .conditions(.enteredBackground), .conditions(.terminating): break
            case .scheduled, .critical, .conditions: guard now - last >= interval else { return false }
            }
            last = now
            return true
        }
    }
}

/// The ledger as metrics, so that a backend can tell what a device has lost, and why.
private struct LedgerMetrics: Sendable {
    private let created: Gauge
    private let delivered: Gauge
    private let pending: Gauge
    private let dropped: Gauge

    init(registry: MetricRegistry) {
        let meter = Meter(registry: registry, scope: InstrumentationScope(name: "astrolabe.delivery"))
        created = meter.gauge(MetricName.recordsCreated, unit: "{record}")
        delivered = meter.gauge(MetricName.recordsDelivered, unit: "{record}")
        pending = meter.gauge(MetricName.recordsPending, unit: "{record}")
        dropped = meter.gauge(MetricName.recordsDropped, unit: "{record}")
    }

    func record(_ ledger: RecordLedger) {
        created.record(ledger.created)
        delivered.record(ledger.delivered)
        pending.record(ledger.inJournal, attributes: [AttributeKey.astrolabeRecordPlace: "journal"])
        pending.record(ledger.inQueue, attributes: [AttributeKey.astrolabeRecordPlace: "queue"])
        for (reason, count) in ledger.dropped {
            dropped.record(count, attributes: [AttributeKey.astrolabeDropReason: .string(reason.rawValue)])
        }
    }
}
