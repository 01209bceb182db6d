import AstrolabePlatform
package import Foundation

/// A file of who came in, who was refused and what was changed: one JSON object on each line, never a key's text.
///
/// A refusal of one kind from one network is written once in a minute. The number of those after it is in the next such
/// line, or in a line of its own when something else is written. At 8 MiB the file becomes `audit.1.jsonl`, and the one
/// before it is removed.
package final class AuditLog: Sendable {
    /// One line. The keys are those of the JSON.
    package struct Entry: Codable, Sendable, Hashable {
        package let time: Date
        /// `key-created`, `key-revoked`, `sign-in`, `sign-out`, `refused`, `board-changed` or `symbols-uploaded`.
        package let event: String
        package var key: String?
        /// The client's address. Of a refusal its network: an IPv4 address, or 64 bits of IPv6 such as `2001:db8::/64`.
        package var address: String?
        /// The reason of a refusal, or the name of what was changed.
        package var detail: String?
        /// The number of equal refusals that this line stands for.
        package var count: Int?

        package init(
            _ event: String, key: String? = nil, address: String? = nil, detail: String? = nil, at time: Date = Date(),
        ) {
            self.time = time
            self.event = event
            self.key = key
            self.address = address
            self.detail = detail
        }
    }

    private let path: String
    private let bytes: Int
    private let refusals = Locked(RefusalCounts())

    /// - Parameter bytes: The size at which the file is replaced.
    package init(path: String, bytes: Int = 8 << 20) {
        self.path = path
        self.bytes = bytes
    }

    /// Adds a line. A full disk loses it, and nothing else.
    package func write(_ entry: Entry) {
        let entries = refusals.withLock { refusals in
            entry.event == "refused" ? refusals.take(entry) : refusals.sweep(at: entry.time) + [entry]
        }
        for entry in entries { append(entry) }
    }

    /// Writes the counts of refusals that have no line yet. Call it when the process ends.
    package func flush(at time: Date = Date()) {
        for entry in refusals.withLock({ $0.end(at: time) }) { append(entry) }
    }

    private func append(_ entry: Entry) {
        guard var line = try? Self.encoder.encode(entry) else { return }
        line.append(0x0A)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // One call, so that lines of several processes do not mix.
        _ = line.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        if lseek(descriptor, 0, SEEK_END) > off_t(bytes) { rename(path, Self.previous(path)) }
    }

    private static func previous(_ path: String) -> String {
        let url = URL(fileURLWithPath: path)
        return url.deletingPathExtension().path + ".1." + url.pathExtension
    }

    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
