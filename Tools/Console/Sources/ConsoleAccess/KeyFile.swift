package import Foundation

/// The file of a console's keys: JSON that only its owner may read, changed by `astrolabe keys` while a console runs.
///
///     let file = KeyFile(path: ".astrolabe/keys.json", digest: .sha256)
///     let made = try file.create("shop app", use: .ingest, services: ["astronomy-shop"])
///     print(made.text)      // the only time that the text is known
package struct KeyFile: Sendable {
    package let path: String
    /// `nil` in a program that is built without SHA-256: it can neither make keys nor admit anyone by one.
    let digest: KeyDigest?

    /// The maximum number of keys, of which revoked ones count too.
    static let limit = 1_000
    private static let longestFile = 4 << 20

    package init(path: String, digest: KeyDigest?) {
        self.path = path
        self.digest = digest
    }

    /// Reads the keys, oldest first. A file that does not exist has none.
    package func keys() throws(KeyFileError) -> [AccessKey] {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch CocoaError.fileReadNoSuchFile {
            return []
        } catch {
            throw .unreadable(path: path, reason: "it cannot be opened")
        }
        guard data.count <= Self.longestFile else { throw .unreadable(path: path, reason: "it is larger than 4 MiB") }
        let content: Content
        do {
            content = try Self.decoder.decode(Content.self, from: data)
        } catch {
            throw .unreadable(path: path, reason: "it is not JSON of the expected form")
        }
        guard Content.known.contains(content.version) else {
            let expected = "expected version \(Content.known.lowerBound) or \(Content.known.upperBound)"
            throw .unreadable(path: path, reason: "\(expected), found \(content.version)")
        }
        return content.keys
    }

    /// Makes a key and adds it to the file.
    ///
    /// - Parameter expires: When the key stops being valid, in whole seconds; `nil` for never.
    /// - Returns: The key and its text, which is stored nowhere.
    package func create(
        _ name: String, use: KeyUse, services: Set<String>? = nil, requestsPerSecond: Double? = nil,
        expires: Date? = nil, at moment: Date = Date(),
    ) throws(KeyFileError) -> (key: AccessKey, text: String) {
        guard let digest else { throw .noDigest }
        let text = KeyText(use)
        let sha256 = digest(text).map { String(format: "%02x", $0) }.joined()
        let key = AccessKey(
            id: String(sha256.prefix(8)), name: name, use: use, services: services,
            requestsPerSecond: requestsPerSecond ?? AccessKey.defaultRate(use), sha256: sha256,
            created: Self.second(moment), expires: expires.map(Self.second))
        try change { keys throws(KeyFileError) in
            guard keys.count < Self.limit else { throw .tooManyKeys(limit: Self.limit) }
            keys.append(key)
        }
        return (key, text.text)
    }

    /// Revokes a key. A running console refuses it within a second.
    package func revoke(_ id: String, at moment: Date = Date()) throws(KeyFileError) -> AccessKey {
        var revoked: AccessKey?
        try change { keys throws(KeyFileError) in
            guard let index = keys.firstIndex(where: { $0.id == id }) else { throw .unknownKey(id) }
            if keys[index].revoked == nil { keys[index].revoked = Self.second(moment) }
            revoked = keys[index]
        }
        guard let revoked else { throw .unknownKey(id) }
        return revoked
    }

    /// Reads, changes and replaces the file.
    private func change(_ body: (inout [AccessKey]) throws(KeyFileError) -> Void) throws(KeyFileError) {
        try locked { () throws(KeyFileError) in
            var keys = try self.keys()
            try body(&keys)
            try Self.replace(path, with: Content(keys: keys))
        }
    }

    /// Runs `body` under a lock that other processes respect.
    func locked(_ body: () throws(KeyFileError) -> Void) throws(KeyFileError) {
        let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0, flock(lock, LOCK_EX) == 0 else {
            if lock >= 0 { close(lock) }
            throw .unwritable(path: path)
        }
        defer { close(lock) }
        try body()
    }

    /// Writes beside the file and renames, so that a reader finds the old or the new content.
    static func replace(_ path: String, with content: some Encodable) throws(KeyFileError) {
        do {
            try write(Self.encoder.encode(content), to: path)
        } catch {
            throw .unwritable(path: path)
        }
    }

    private static func write(_ data: Data, to path: String) throws {
        let next = path + ".next"
        unlink(next)
        let descriptor = open(next, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw KeyFileError.unwritable(path: path) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: data)
        try handle.synchronize()
        guard rename(next, path) == 0 else { throw KeyFileError.unwritable(path: path) }
    }

    /// The file has whole seconds.
    static func second(_ moment: Date) -> Date {
        Date(timeIntervalSince1970: moment.timeIntervalSince1970.rounded(.down))
    }

    private struct Content: Codable {
        static let known = 1...2
        let version: Int
        let keys: [AccessKey]

        /// Version 2 has keys that expire. A console that only knows version 1 would admit them for ever, so it must
        /// refuse the file.
        init(keys: [AccessKey]) {
            version = keys.contains { $0.expires != nil } ? 2 : 1
            self.keys = keys
        }
    }

    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return encoder
    }

    static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }
}

package enum KeyFileError: Error, Hashable, Sendable, CustomStringConvertible {
    case unreadable(path: String, reason: String)
    case unwritable(path: String)
    case unknownKey(String)
    case tooManyKeys(limit: Int)
    /// The program is built without SHA-256.
    case noDigest

    package var description: String {
        switch self {
        case .unreadable(let path, let reason):
            "the keys in \(path) cannot be read: \(reason); mend the file or restore it from a backup"
        case .unwritable(let path): "cannot write \(path); expected a folder that exists and that you may write to"
        case .unknownKey(let id): "no key has the id \(id); `astrolabe keys list` shows the ids"
        case .noDigest: "this program is built without SHA-256 for keys. Use ./astrolabe console, which has it."
        case .tooManyKeys(let limit): "expected at most \(limit) keys in one file, revoked ones included"
        }
    }
}
