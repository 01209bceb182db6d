import AstrolabePlatform

/// A bound on the memory that all requests may occupy at one moment.
///
///     let hold = allowance.hold()
///     guard hold.grow(by: bytes.count) else { … }      // 503; the hold ends with its last reference
package final class MemoryAllowance: Sendable {
    private let limit: Int
    private let used = Locked(0)

    package init(bytes: Int) {
        limit = bytes
    }

    /// The bytes that all requests occupy.
    package var inUse: Int { used.withLock { $0 } }

    package func hold() -> Hold { Hold(self) }

    /// The part of the allowance that one request occupies, released when the object is deallocated.
    package final class Hold: Sendable {
        private let allowance: MemoryAllowance
        private let held = Locked(0)

        fileprivate init(_ allowance: MemoryAllowance) {
            self.allowance = allowance
        }

        /// Takes more of the allowance. A request larger than the whole allowance gets it if no other request has any.
        ///
        /// - Returns: `false`, and takes nothing, if the allowance is spent.
        package func grow(by bytes: Int) -> Bool {
            held.withLock { held in
                let isGranted = allowance.used.withLock { used in
                    let (sum, isOverflow) = used.addingReportingOverflow(bytes)
                    guard !isOverflow, used == held || sum <= allowance.limit else { return false }
                    used = sum
                    return true
                }
                if isGranted { held += bytes }
                return isGranted
            }
        }

        deinit {
            let bytes = held.withLock { $0 }
            allowance.used.withLock { $0 -= bytes }
        }
    }
}
