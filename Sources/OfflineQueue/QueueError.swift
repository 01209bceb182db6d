import AstrolabePlatform

#if canImport(SQLite3)
import SQLite3
#else
import CAstrolabeSQLite
#endif

/// Why the queue could not do what was asked. Nothing of it was done: each call is one transaction.
package struct QueueError: Error, Hashable, Sendable, CustomStringConvertible {
    package let reason: Reason
    package let description: String

    package enum Reason: Hashable, Sendable {
        /// No space for what was to be written. Release the records where they are, and try again later.
        case diskFull
        /// The file or its directory may not be written.
        case readOnly
        /// The file is damaged; the queue has moved it aside and begun a new one, and failed again.
        case corrupt
        /// A later version of this library wrote the file, which is left alone.
        case newerSchema
        /// Another process holds the database for longer than the busy time-out. Try again.
        case locked
        /// The queue was closed.
        case closed
        /// Anything else that SQLite or the system may report.
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
