import AstrolabePlatform

#if canImport(SQLite3)
import SQLite3
#else
import CAstrolabeSQLite
#endif

/// Why a call to the queue failed. A failed call has changed nothing: each call is one transaction.
package struct QueueError: Error, Equatable, Sendable, CustomStringConvertible {
    package let reason: Reason
    package let description: String

    package enum Reason: Hashable, Sendable {
        /// The disk is full. Keep the records where they are, and retry later.
        case diskFull
        /// The file or its directory is not writable.
        case readOnly
        /// The file is damaged, and the new file that replaced it is damaged too.
        case corrupt
        /// A newer version of this library wrote the file, which is left unchanged.
        case newerSchema
        /// Another process held the database longer than the busy timeout. Retry.
        case locked
        /// The queue was closed.
        case closed
        /// Any other error of SQLite or the system.
        case other
    }

    init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }

    init(_ failure: SQLiteFailure) {
        let reason: Reason =
            switch failure.primaryCode {
            case SQLITE_FULL: .diskFull
            case SQLITE_READONLY, SQLITE_PERM, SQLITE_CANTOPEN: .readOnly
            case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
            case SQLITE_BUSY, SQLITE_LOCKED: .locked
            default: .other
            }
        self.init(reason, failure.description)
    }

    init(_ failure: SystemError) {
        let reason: Reason = failure.isDiskFull ? .diskFull : failure.isReadOnly ? .readOnly : .other
        self.init(reason, failure.description)
    }
}
