import AstrolabeSemantics
import AstrolabeTelemetryModel
import ConsoleModel

extension PreparedBatch {
    /// Adds a row for a replay frame. Rejects and counts events that are not valid frames.
    mutating func add(replay record: LogRecordData, time: UInt64, resource: Int32, scope: Int32) {
        let facts = IndexedAttributes(record.attributes)
        let ownSession = sessions.index(of: facts.session)
        let session = ownSession >= 0 ? ownSession : resources[Int(resource)].session
        let end = text.bytes.count
        do throws(ReplayFrame.ValidationError) {
            guard session >= 0 else { throw .noSession }
            let frame = try ReplayFrame(record.attributes, timeUnixNano: time)
            let content = slice { $0.append(frame) }
            guard content.count <= ReplayFrame.byteLimit else { throw .tooLarge(bytes: Int(content.count)) }
            let small = record.attributes.filter { !ReplayFrame.largeKeys.contains($0.key) }
            replays.append(
                ReplayRow(
                    uid: StableHash(facts.recordUID.map { "uid:" + $0 } ?? "\(frame.sequence) \(frame.recording)"),
                    session: session,
                    screen: screens.index(of: facts.screen),
                    resource: resource,
                    scope: scope,
                    recording: frame.recording,
                    sequence: frame.sequence,
                    isKey: frame.isKey,
                    time: Int64(nanoseconds: time),
                    frame: content,
                    attributes: slice(Attributes(uniqueElements: small)),
                )
            )
        } catch {
            text.bytes.removeLast(text.bytes.count - end)
            rejection.add(because: error.description)
        }
    }
}
