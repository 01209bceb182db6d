/// The errors of the telemetry store.
package enum StoreError: Error, Hashable, Sendable {
    /// The file is a database of another program.
    case notAConsoleStore(path: String)
    /// A later version of the console wrote the file.
    case newerVersion(path: String, found: Int, supported: Int)
    /// An earlier version of the console wrote the file, and it must not be changed.
    case olderVersion(path: String, found: Int, expected: Int)
    case corrupt(path: String, detail: String)
    /// The file is not damaged, but a console cannot work with what it has.
    case unusable(path: String, detail: String)
    /// The file or its folder is not writable.
    case readOnly(path: String)
    case cannotOpen(path: String, detail: String)
    case missing(path: String)
    /// A copy would replace the file.
    case exists(path: String)
    /// The file is no longer at its path, so a restart would not find its records.
    case moved(path: String)
    /// The write queue is full. The sender should retry.
    case queueFull(waiting: Int, limit: Int)
    case diskFull(path: String)
    case closed
    case failed(detail: String)
}

extension StoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notAConsoleStore(let path):
            "\(path) is a database of another program. Choose another file, or move this one."
        case .newerVersion(let path, let found, let supported):
            """
            \(path) has format version \(found), but this console supports versions up to \(supported). \
            Use a newer console, or move the file to start with an empty database.
            """
        case .olderVersion(let path, let found, let expected):
            """
            \(path) has format version \(found), expected version \(expected). Start a console on it once, which \
            upgrades it.
            """
        case .corrupt(let path, let detail):
            "\(path) is damaged (\(detail)). Move it and its -wal and -shm files to start with an empty database."
        case .unusable(let path, let detail):
            """
            cannot copy \(path): \(detail). Expected the database of a console, or a copy that astrolabe backup wrote.
            """
        case .readOnly(let path):
            "cannot write to \(path). Check the permissions of the file and its folder, or choose another file."
        case .cannotOpen(let path, let detail):
            "cannot open \(path) (\(detail)). Check that its folder exists and is writable."
        case .missing(let path):
            "\(path) does not exist"
        case .exists(let path):
            "\(path) exists. Stop the console and move the file away, or choose another one."
        case .moved(let path):
            "\(path) was moved or removed while the console uses it. Put it back, or restart the console."
        case .queueFull(let waiting, let limit):
            "the write queue is full: \(waiting) records, limit \(limit). Retry in 1 s."
        case .diskFull(let path):
            "the disk with \(path) is full, so this request was not stored, or not all of it. Free some space."
        case .closed:
            "the store is closed"
        case .failed(let detail):
            "database error: \(detail)"
        }
    }
}
