import AstrolabeTelemetryModel
import AstrolabeWire

/// The records of one request: of one kind and one resource, grouped by scope.
struct ExportBatch {
    let kind: RecordKind
    let resource: EncodedResource
    private(set) var groups: [(scope: EncodedScope, records: EncodedRecords)] = []
    private(set) var count = 0
    /// Bytes of the records, before compression.
    private(set) var byteCount = 0
    /// The queue's identifiers of the records; empty for records of the journal.
    private(set) var ids: [Int64] = []

    init(kind: RecordKind, resource: EncodedResource) {
        self.kind = kind
        self.resource = resource
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer, scope: EncodedScope, id: Int64? = nil) {
        if groups.last?.scope != scope, let index = groups.firstIndex(where: { $0.scope == scope }) {
            groups.append(groups.remove(at: index))
        } else if groups.last?.scope != scope {
            groups.append((scope, EncodedRecords()))
        }
        groups[groups.count - 1].records.append(bytes)
        count += 1
        byteCount += bytes.count
        if let id { ids.append(id) }
    }

    /// The body of the request.
    var body: [UInt8] { ExportRequest.build(resource: resource, scopes: groups) }
}
