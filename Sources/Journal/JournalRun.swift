import AstrolabePlatform

/// One run of the app, current or previous, with the data needed to decode its records.
package final class JournalRun: Sendable {
    package let id: RunID
    /// Nanoseconds since 1970; 0 if the run's file is damaged.
    package let started: UInt64
    /// The header that the run was opened with; `nil` if it is damaged.
    package let header: [UInt8]?
    /// Whether this is a previous run, which ended without delivering all of its records.
    package let isRecovered: Bool
    private let definitions: Locked<Definitions>

    private struct Definitions {
        var bytes: [UInt16: [UInt8]] = [:]
        var tags: [[UInt8]: UInt16] = [:]
    }

    init(id: RunID, started: UInt64, header: [UInt8]?, isRecovered: Bool, definitions: [UInt16: [UInt8]] = [:]) {
        self.id = id
        self.started = started
        self.header = header
        self.isRecovered = isRecovered
        self.definitions = Locked(Definitions(bytes: definitions))
    }

    /// The definition of a tag; `nil` if there is none or if it is damaged.
    package func definition(_ tag: UInt16) -> [UInt8]? {
        definitions.withLock { $0.bytes[tag] }
    }

    /// Returns the tag of a definition after `keep` has made it durable; `nil` if that failed.
    func define(_ definition: [UInt8], keep: (UInt16) -> Bool) -> UInt16? {
        definitions.withLock { definitions in
            if let tag = definitions.tags[definition] { return tag }
            guard definitions.tags.count < Int(UInt16.max) else { return nil }
            let tag = UInt16(definitions.tags.count + 1)
            guard keep(tag) else { return nil }
            definitions.tags[definition] = tag
            definitions.bytes[tag] = definition
            return tag
        }
    }
}
