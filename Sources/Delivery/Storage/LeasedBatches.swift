import AstrolabeJournal
import AstrolabeOfflineQueue
import AstrolabeTelemetryModel
import AstrolabeWire

/// A lease of the journal or the queue, divided into the batches that carry it.
final class LeasedBatches {
    enum Source {
        case journal(JournalLease)
        case queue(QueueLease)
    }

    let source: Source
    let batches: [ExportBatch]
    /// True if the server has refused these records before, and each is alone in its batch.
    let isRetrial: Bool

    /// The records and bytes of all batches.
    var size: (records: Int, bytes: Int) { batches.reduce((0, 0)) { ($0.0 + $1.count, $0.1 + $1.byteCount) } }

    init(_ lease: JournalLease) {
        source = .journal(lease)
        isRetrial = false
        let kind = RecordKind(rawValue: lease.kind) ?? .event
        var batch = ExportBatch(kind: kind, resource: EncodedResource(fields: lease.run.header ?? []))
        var scopes: [UInt16: EncodedScope] = [:]
        for record in lease.records {
            let scope = scopes[record.tag] ?? lease.run.scope(record.tag)
            scopes[record.tag] = scope
            batch.append(record.bytes, scope: scope)
        }
        batches = [batch]
    }

    convenience init(_ lease: QueueLease) {
        self.init(lease, isRetrial: false)
    }

    /// A batch for each record.
    convenience init(refused lease: QueueLease) {
        self.init(lease, isRetrial: true)
    }

    private init(_ lease: QueueLease, isRetrial: Bool) {
        source = .queue(lease)
        self.isRetrial = isRetrial
        var batches: [ExportBatch] = []
        let origins = lease.headers.mapValues(RecordOrigin.init)
        for record in lease.records {
            let kind = RecordKind(rawValue: record.kind) ?? .event
            let origin = origins[record.header].flatMap { $0 } ?? .unknown
            let index =
                (isRetrial ? nil : batches.firstIndex { $0.kind == kind && $0.resource == origin.resource })
                ?? {
                    batches.append(ExportBatch(kind: kind, resource: origin.resource))
                    return batches.count - 1
                }()
            record.payload.withUnsafeBytes { batches[index].append($0, scope: origin.scope, id: record.id) }
        }
        self.batches = batches
    }
}
