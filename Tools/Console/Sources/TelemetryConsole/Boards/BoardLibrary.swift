import Foundation
import ServerSupport
import TelemetryBoards
import TelemetryQuery

/// The boards that ship, and those in the user's folder. A file of the same name replaces a board that ships.
///
/// The folder is read at each call, so an edited file is a changed board. Writes are atomic.
actor BoardLibrary {
    /// A board, or a file that is none.
    struct Entry: Sendable {
        let id: String
        let source: String
        let board: Result<Board, BoardError>
        /// True if the board is a file of the user.
        let isFile: Bool
        /// The entity tag of the source.
        var tag: String {
            let hash = source.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
            return "\"\(String(hash, radix: 16))\""
        }
    }

    enum Refusal: Error, Hashable {
        case invalidID
        case tooMany
        case notFound
        /// The caller did not say which version it changes.
        case needsVersion
        /// The board is another one than the caller saw.
        case changed
        /// The folder cannot be written.
        case unwritable
    }

    /// The largest number of files that are read.
    static let limit = 200

    nonisolated let folder: URL
    private var cache: [String: Entry] = [:]

    init(folder: URL) {
        self.folder = folder
    }

    /// The boards that ship in their order, then the others by name.
    func entries() -> [Entry] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let own = names.filter { $0.hasSuffix(".yaml") && !$0.hasPrefix(".") }.map { String($0.dropLast(5)) }.sorted()
            .filter { !ShippedBoards.ids.contains($0) }
        return (ShippedBoards.ids + own.prefix(Self.limit)).compactMap { entry($0) }
    }

    /// The first funnel of a board, of the user's boards before those that ship.
    func firstFunnel() -> FunnelQuery? {
        let entries = entries()
        for entry in entries.filter(\.isFile) + entries.filter({ !$0.isFile }) {
            guard case .success(let board) = entry.board else { continue }
            for panel in board.panels {
                if case .funnel(let funnel) = panel.content { return funnel }
            }
        }
        return nil
    }

    func entry(_ id: String) -> Entry? {
        guard !id.contains("/"), !id.isEmpty, !id.hasPrefix(".") else { return nil }
        let file = folder.appendingPathComponent(id + ".yaml")
        if let source = Self.source(of: file) { return read(id, source, isFile: true) }
        return ShippedBoards.source(id).map { read(id, $0, isFile: false) }
    }

    private func read(_ id: String, _ source: String, isFile: Bool) -> Entry {
        if let known = cache[id], known.source == source, known.isFile == isFile { return known }
        let board: Result<Board, BoardError>
        do throws(BoardError) {
            guard BoardLimits.isID(id) else {
                throw BoardError(
                    file: id + ".yaml", line: nil, message: "expected a file name of a-z, 0-9 and -, with .yaml")
            }
            board = .success(try Board(yaml: source, file: id + ".yaml"))
        } catch {
            board = .failure(error)
        }
        let entry = Entry(id: id, source: source, board: board, isFile: isFile)
        if cache.count > 2 * Self.limit { cache = [:] }
        cache[id] = entry
        return entry
    }

    /// Returns the text of a file. One that is too large is cut, and then is no board.
    private static func source(of file: URL) -> String? {
        guard let handle = try? FileHandle(forReadingFrom: file) else { return nil }
        defer { try? handle.close() }
        guard let data = try? handle.read(upToCount: BoardLimits.bytes + 1) else { return "" }
        return String(decoding: data, as: UTF8.self)
    }

    /// Writes a board into the user's folder.
    ///
    /// - Parameter text: Makes the file from the present one; empty if there is none.
    /// - Parameter version: The tag of the version that the caller changes; `nil` for a new board.
    /// - Returns: The board, and whether it is new.
    func save(
        _ id: String, version: String?, text: (_ present: String) throws -> String,
    ) throws -> (entry: Entry, isNew: Bool) {
        guard BoardLimits.isID(id) else { throw Refusal.invalidID }
        let present = entry(id)
        if let present {
            guard let version else { throw Refusal.needsVersion }
            guard version == present.tag else { throw Refusal.changed }
        } else {
            guard version == nil else { throw Refusal.changed }
            guard entries().count < Self.limit else { throw Refusal.tooMany }
        }
        let source = try text(present?.source ?? "")
        do {
            try OwnerFiles.createFolder(folder)
            try Data(source.utf8).write(to: folder.appendingPathComponent(id + ".yaml"), options: .atomic)
        } catch {
            throw Refusal.unwritable
        }
        return (read(id, source, isFile: true), present == nil)
    }

    /// Removes a file of the user. A board that ships and that it replaced is there again.
    func remove(_ id: String, version: String?) throws {
        guard let present = entry(id), present.isFile else { throw Refusal.notFound }
        guard let version else { throw Refusal.needsVersion }
        guard version == present.tag else { throw Refusal.changed }
        do {
            try FileManager.default.removeItem(at: folder.appendingPathComponent(id + ".yaml"))
        } catch {
            throw Refusal.unwritable
        }
    }
}
