package import AstrolabePlatform

/// One of a limited number of connections.
///
/// The slot is released by `leave()` or when the object is deallocated. The latter happens if the client disconnects
/// before the response body is requested.
package final class ConnectionSlot: Sendable {
    private let readers: Locked<Int>
    private let isTaken = Locked(true)

    /// Takes a slot.
    ///
    /// - Parameters:
    ///   - readers: The number of slots in use.
    ///   - limit: The maximum number of slots.
    /// - Returns: `nil` if all slots are in use.
    package init?(among readers: Locked<Int>, limit: Int) {
        let isFree = readers.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
        guard isFree else { return nil }
        self.readers = readers
    }

    /// Releases the slot. Further calls have no effect.
    package func leave() {
        if isTaken.exchange(false) { readers.withLock { $0 -= 1 } }
    }

    deinit { leave() }
}
