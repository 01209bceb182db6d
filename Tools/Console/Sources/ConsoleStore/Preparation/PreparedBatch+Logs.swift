import AstrolabeSemantics
import AstrolabeTelemetryModel
import ConsoleModel

extension PreparedBatch {
    /// Prepares the rows of events and log records.
    init(logs groups: [ResourceGroup<LogRecordData>], milestones: MilestoneFinder, times: RecordTimes) {
        var copies: [StableHash: UInt64] = [:]
        let count = groups.reduce(0) { $0 + $1.recordCount }
        logs.reserveCapacity(count)
        text.bytes.reserveCapacity(count * 320)
        for group in groups {
            let resource = add(group.resource, schemaURL: group.schemaURL)
            for scopeGroup in group.scopes {
                let scope = add(scopeGroup.scope, schemaURL: scopeGroup.schemaURL)
                for record in scopeGroup.records {
                    add(record, resource: resource, scope: scope, milestones, times, &copies)
                }
            }
        }
    }

    /// - Parameter copies: How many equal records the request had so far, by their hash.
    private mutating func add(
        _ record: LogRecordData, resource: Int32, scope: Int32, _ milestones: MilestoneFinder, _ times: RecordTimes,
        _ copies: inout [StableHash: UInt64],
    ) {
        let time = times.time(of: record)
        if record.eventName == EventName.replay {
            return add(replay: record, time: time, resource: resource, scope: scope)
        }
        let facts = IndexedAttributes(record.attributes)
        let ownSession = sessions.index(of: facts.session)
        let name = slice(plain: record.eventName)
        let body = record.body == .empty ? Slice() : slice { $0.append(record.body) }
        let attributes = slice(record.attributes)
        let severityText = slice(plain: record.severityText)
        let identity = identity(of: record, facts, resource: resource, scope: scope, from: name, &copies)
        logs.append(
            LogRow(
                uid: identity.uid,
                original: identity.original,
                traceID: record.traceID,
                span: Int64(bitPattern: record.spanID.value),
                session: ownSession >= 0 ? ownSession : resources[Int(resource)].session,
                screen: screens.index(of: facts.screen),
                resource: resource,
                scope: scope,
                category: RecordCategory(record),
                severity: record.severityNumber,
                time: Int64(nanoseconds: time),
                sent: time == record.timeUnixNano ? nil : Int64(nanoseconds: record.timeUnixNano),
                name: name,
                body: body,
                attributes: attributes,
                observed: Int64(nanoseconds: record.hasTime ? record.observedTimeUnixNano : time),
                flags: UInt32(record.flags.rawValue) | record.reservedFlags,
                severityText: severityText,
                dropped: record.droppedAttributesCount,
                milestone: milestones.milestone(record.eventName, record.attributes),
            )
        )
    }

    /// Returns the record's unique id: its `log.record.uid`, or else a hash of all that it has and of the number of
    /// equal records before it in the request.
    ///
    /// So equal records stay as many as were sent, and a request that is sent again adds none.
    ///
    /// - Returns: The id, and the id of the first of the equal records if this is a later one.
    private mutating func identity(
        of record: LogRecordData, _ facts: IndexedAttributes, resource: Int32, scope: Int32, from start: Slice,
        _ copies: inout [StableHash: UInt64],
    ) -> (uid: StableHash, original: StableHash?) {
        if let uid = facts.recordUID { return (StableHash("uid:" + uid), nil) }
        let content = contentHash(of: record, resource: resource, scope: scope, from: start)
        let earlier = copies[content, default: 0]
        copies[content] = earlier + 1
        guard earlier > 0 else { return (content, nil) }
        return (StableHash("copy \(earlier) of \(content.high) \(content.low)"), content)
    }

    private mutating func contentHash(
        of record: LogRecordData, resource: Int32, scope: Int32, from start: Slice,
    ) -> StableHash {
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
        let flags = UInt32(record.flags.rawValue) | record.reservedFlags
        // Few records have these, so the hashes of earlier versions stay valid.
        if flags > 0 || record.droppedAttributesCount > 0 {
            text.append(flags)
            text.append(raw: " ")
            text.append(record.droppedAttributesCount)
        }
        defer { text.bytes.removeLast(text.bytes.count - end) }
        return text.bytes.withUnsafeBytes { StableHash(UnsafeRawBufferPointer(rebasing: $0[Int(start.start)...])) }
    }
}

extension LogRecordData {
    fileprivate var hasTime: Bool { timeUnixNano > 0 || observedTimeUnixNano > 0 }

    /// When it happened or, if that is unknown, when the sender saw it; 0 if it says neither.
    fileprivate var storedTime: Int64 { Int64(nanoseconds: timeUnixNano > 0 ? timeUnixNano : observedTimeUnixNano) }
}

extension RecordCategory {
    fileprivate init(_ record: LogRecordData) {
        self = record.eventName.isEmpty ? .log : record.eventName == EventName.appCrash ? .crash : .event
    }
}
