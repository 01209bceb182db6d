import Foundation
import ServerSupport

/// The content of a ``StateFile``. Its encoding has a member `version`.
protocol StateContent: Codable, Hashable, Sendable {
    /// The format of the file. A file of another version is not read.
    static var currentVersion: Int { get }

    init()
}

/// A file of a console's small state: JSON that only its owner may read, next to the database, whatever database that
/// is. It is small and replaced as a whole, so what belongs together is stored together.
struct StateFile<Content: StateContent>: Sendable {
    let path: String
    /// The most bytes of the file. A larger one is neither read nor written.
    var sizeLimit = 64 << 20

    /// The reason for which a file is not used.
    enum Fault: Error, Hashable, CustomStringConvertible {
        case tooLarge(limit: Int)
        case version(Int)

        var description: String {
            switch self {
            case .tooLarge(let limit): "it is larger than \(limit) bytes"
            case .version(let found): "expected version \(Content.currentVersion), found \(found)"
            }
        }
    }

    /// Reads the content. A file that does not exist has none.
    func read() throws -> Content {
        guard FileManager.default.fileExists(atPath: path) else { return Content() }
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        guard data.count <= sizeLimit else { throw Fault.tooLarge(limit: sizeLimit) }
        let version = try JSONDecoder().decode(StateVersion.self, from: data).version
        guard version == Content.currentVersion else { throw Fault.version(version) }
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try decoder.decode(Content.self, from: data)
    }

    /// Replaces the file, unless it could not be read again.
    func write(_ content: Content) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        let data = try encoder.encode(content)
        guard data.count <= sizeLimit else { throw Fault.tooLarge(limit: sizeLimit) }
        try OwnerFiles.replace(path, with: data)
    }

    /// Moves a file away that cannot be read, so that nothing in it is lost.
    ///
    /// - Returns: Its new path; `nil` if it cannot be moved.
    func setAside() -> String? {
        let place = path + ".unreadable"
        return rename(path, place) == 0 ? place : nil
    }
}

private struct StateVersion: Decodable {
    let version: Int
}
