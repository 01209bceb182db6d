import AstrolabePlatform

/// A bound on the memory that all requests may occupy at one moment, with a reserve for small ones.
///
///     let hold = allowance.hold()
///     guard hold.grow(by: bytes.count) else { … }      // 503; the hold ends with its last reference
package final class MemoryAllowance: Sendable {
    private let limit: Int
    private let reserve: Int
    private let smallBytes: Int
    private let used = Locked(0)

    /// - Parameters:
    ///   - reserve: The part of `bytes` that only small requests may take. The default is 0.
    ///   - smallBytes: The most that a small request occupies.
    package init(bytes: Int, reserve: Int = 0, smallBytes: Int = 0) {
        limit = bytes
        self.reserve = reserve
        self.smallBytes = smallBytes
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
                    guard !isOverflow else { return false }
                    // The request has no more than all have, so this does not overflow.
                    let isSmall = held + bytes <= allowance.smallBytes
                    let limit = isSmall ? allowance.limit : allowance.limit - allowance.reserve
                    guard used == held || sum <= limit else { return false }
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
