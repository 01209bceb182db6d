import Foundation
import ServerSupport

/// The file of a console's notices: JSON that only its owner may read, next to the database, whatever database that is.
///
/// It is small and replaced as a whole, so an incident and the notice of it are stored together. It names environment
/// variables and not the addresses in them.
struct NoticeFile: Sendable {
    let path: String

    /// The reason for which a file is not used.
    enum Fault: Error, Hashable, CustomStringConvertible {
        case tooLarge
        case version(Int)

        var description: String {
            switch self {
            case .tooLarge: "it is larger than \(NoticeFile.longest >> 20) MiB"
            case .version(let found): "expected version \(NoticeBook.currentVersion), found \(found)"
            }
        }
    }

    private static let longest = 64 << 20

    /// Reads the notices. A file that does not exist has none.
    func read() throws -> NoticeBook {
        guard FileManager.default.fileExists(atPath: path) else { return NoticeBook() }
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        guard data.count <= Self.longest else { throw Fault.tooLarge }
        let version = try JSONDecoder().decode(Version.self, from: data).version
        guard version == NoticeBook.currentVersion else { throw Fault.version(version) }
        return try JSONDecoder().decode(NoticeBook.self, from: data)
    }

    func write(_ book: NoticeBook) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try OwnerFiles.replace(path, with: try encoder.encode(book))
    }

    /// Moves a file away that cannot be read, so that nothing in it is lost.
    ///
    /// - Returns: Its new path; `nil` if it cannot be moved.
    func setAside() -> String? {
        let place = path + ".unreadable"
        return rename(path, place) == 0 ? place : nil
    }

    private struct Version: Decodable {
        let version: Int
    }
}
