import AstrolabeSemantics
import AstrolabeTelemetryModel

extension PreparedBatch {
    /// Prepares the rows of events and log records.
    init(logs groups: [ResourceGroup<LogRecordData>], milestones: MilestoneFinder) {
        let count = groups.reduce(0) { $0 + $1.recordCount }
        logs.reserveCapacity(count)
        text.bytes.reserveCapacity(count * 320)
        for group in groups {
            let resource = add(group.resource, schemaURL: group.schemaURL)
            for scopeGroup in group.scopes {
                let scope = add(scopeGroup.scope, schemaURL: scopeGroup.schemaURL)
                for record in scopeGroup.records { add(record, resource: resource, scope: scope, milestones) }
            }
        }
    }

    private mutating func add(
        _ record: LogRecordData, resource: Int32, scope: Int32, _ milestones: MilestoneFinder,
    ) {
        if record.eventName == EventName.replay { return add(replay: record, resource: resource, scope: scope) }
        let facts = IndexedAttributes(record.attributes)
        let ownSession = sessions.index(of: facts.session)
        let name = slice(plain: record.eventName)
        let body = record.body == .empty ? Slice() : slice { $0.append(record.body) }
        let attributes = slice(record.attributes)
        let severityText = slice(plain: record.severityText)
        logs.append(
            LogRow(
                uid: uid(of: record, facts, resource: resource, scope: scope, from: name),
                traceID: record.traceID,
                span: Int64(bitPattern: record.spanID.value),
                session: ownSession >= 0 ? ownSession : resources[Int(resource)].session,
                screen: screens.index(of: facts.screen),
                resource: resource,
                scope: scope,
                category: RecordCategory(record),
                severity: record.severityNumber,
                time: record.storedTime,
                name: name,
                body: body,
                attributes: attributes,
                observed: Int64(nanoseconds: record.observedTimeUnixNano),
                flags: record.flags.rawValue,
                severityText: severityText,
                dropped: record.droppedAttributesCount,
                milestone: milestones.milestone(record.eventName, record.attributes),
            )
        )
    }

    /// Returns the record's unique id: its `log.record.uid`, or else a hash of its content.
    private mutating func uid(
        of record: LogRecordData, _ facts: IndexedAttributes, resource: Int32, scope: Int32, from start: Slice,
    ) -> StableHash {
        if let uid = facts.recordUID { return StableHash("uid:" + uid) }
        let end = text.bytes.count
        text.append(json: record.traceID.hex)
        for number in [
            // The times as they are stored, so that a record that comes back from an export is the same.
            record.spanID.value, UInt64(record.storedTime), UInt64(Int64(nanoseconds: record.observedTimeUnixNano)),
            UInt64(UInt32(bitPattern: record.severityNumber)), resources[Int(resource)].hash.high,
            scopes[Int(scope)].hash.high,
        ] {
            text.append(number)
            text.append(raw: " ")
        }
        text.append(record.severityText)
        defer { text.bytes.removeLast(text.bytes.count - end) }
        return text.bytes.withUnsafeBytes { StableHash(UnsafeRawBufferPointer(rebasing: $0[Int(start.start)...])) }
    }
}

extension LogRecordData {
    /// When it happened or, if that is unknown, when the sender saw it.
    var storedTime: Int64 { Int64(nanoseconds: timeUnixNano > 0 ? timeUnixNano : observedTimeUnixNano) }
}

extension RecordCategory {
    fileprivate init(_ record: LogRecordData) {
        self = record.eventName.isEmpty ? .log : record.eventName == EventName.appCrash ? .crash : .event
    }
}
