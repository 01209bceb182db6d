/// Why the store could not be opened, or could not take or find something.
package enum StoreError: Error, Hashable, Sendable {
    /// The file is a database, of something else.
    case notAConsoleStore(path: String)
    /// A later version of the console wrote the file.
    case newerVersion(path: String, found: Int, supported: Int)
    case corrupt(path: String, detail: String)
    /// The file, or its folder, cannot be written.
    case readOnly(path: String)
    case cannotOpen(path: String, detail: String)
    /// As many records wait for the disk as may; the sender should try again.
    case queueFull(waiting: Int, limit: Int)
    case diskFull(path: String)
    case closed
    case failed(detail: String)
}

extension StoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notAConsoleStore(let path):
            "\(path) is a database, but not one of the console. Name another file, or move this one away."
        case .newerVersion(let path, let found, let supported):
            """
            \(path) has version \(found) of the console's format; this console reads up to \(supported). \
            Use a newer console, or move the file away to start empty.
            """
        case .corrupt(let path, let detail):
            "\(path) is damaged (\(detail)). Move it away, with its -wal and -shm files, to start empty."
        case .readOnly(let path):
            "\(path) cannot be written. Check the permissions of the file and its folder, or name another file."
        case .cannotOpen(let path, let detail):
            "\(path) cannot be opened (\(detail)). Check that its folder exists and may be written."
        case .queueFull(let waiting, let limit):
            "\(waiting) records wait for the disk and the limit is \(limit). Send again in a second."
        case .diskFull(let path):
            "the disk that holds \(path) is full. Free some space; nothing of this request was stored."
        case .closed:
            "the store is closed."
        case .failed(let detail):
            "the database refused: \(detail)"
        }
    }
}
