import AstrolabePlatform

/// One run of the app, current or previous, with the data needed to decode its records.
package final class JournalRun: Sendable {
    package let id: RunID
    /// Nanoseconds since 1970; 0 if the run's file is damaged.
    package let started: UInt64
    /// The header that the run was opened with; `nil` if it is damaged.
    package let header: [UInt8]?
    /// True if this is a previous run, which ended without delivering all of its records.
    package let isRecovered: Bool
    /// Held during I/O: `define` returns a tag only when the definition is in the file.
    private let definitions: Locked<Definitions>

    private struct Definitions {
        /// By their tags, which begin with 1.
        var bytes: [[UInt8]?] = [nil]

        mutating func set(_ definition: [UInt8], _ tag: Int) {
            while bytes.count <= tag { bytes.append(nil) }
            bytes[tag] = definition
        }
    }

    init(id: RunID, started: UInt64, header: [UInt8]?, isRecovered: Bool, definitions: [UInt16: [UInt8]] = [:]) {
        self.id = id
        self.started = started
        self.header = header
        self.isRecovered = isRecovered
        var known = Definitions()
        for (tag, bytes) in definitions { known.set(bytes, Int(tag)) }
        self.definitions = Locked(known, isHeldDuringIO: true)
    }

    /// The definition of a tag; `nil` if there is none or if it is damaged.
    package func definition(_ tag: UInt16) -> [UInt8]? {
        definitions.withLock { Int(tag) < $0.bytes.count ? $0.bytes[Int(tag)] : nil }
    }

    /// Returns the tag of a definition after `keep` has made it durable; `nil` if that failed.
    func define(_ definition: [UInt8], keep: (UInt16) -> Bool) -> UInt16? {
        definitions.withLock { definitions in
            // There are few, and each is registered once.
            if let tag = definitions.bytes.firstIndex(of: definition) { return UInt16(tag) }
            guard let tag = UInt16(exactly: definitions.bytes.count), keep(tag) else { return nil }
            definitions.bytes.append(definition)
            return tag
        }
    }
}
