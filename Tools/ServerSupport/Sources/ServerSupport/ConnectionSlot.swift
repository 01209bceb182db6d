package import AstrolabePlatform

/// The place of one reader among a limited number, free again when it leaves, or when nobody has come for it: the body
/// of an answer to a reader who hung up before is never asked for.
package final class ConnectionSlot: Sendable {
    private let readers: Locked<Int>
    private let isTaken = Locked(true)

    /// - Returns: nil where all are taken.
    package init?(among readers: Locked<Int>, limit: Int) {
        let isFree = readers.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
        guard isFree else { return nil }
        self.readers = readers
    }

    package func leave() {
        let isFirst = isTaken.withLock { isTaken in
            defer { isTaken = false }
            return isTaken
        }
        if isFirst { readers.withLock { $0 -= 1 } }
    }

    deinit { leave() }
}
