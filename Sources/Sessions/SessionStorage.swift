import AstrolabePlatform
package import Foundation

/// The storage of the current session across restarts.
package struct SessionStorage: Sendable {
    package var load: @Sendable () -> SavedSession?
    package var save: @Sendable (SavedSession) -> Void
    /// Deletes what `save` stored.
    package var remove: @Sendable () -> Void

    package init(
        load: @escaping @Sendable () -> SavedSession?, save: @escaping @Sendable (SavedSession) -> Void,
        remove: @escaping @Sendable () -> Void = {},
    ) {
        self.load = load
        self.save = save
        self.remove = remove
    }

    /// Storage that keeps nothing.
    package static let none = SessionStorage(load: { nil }, save: { _ in })

    /// A small file, replaced as a whole. An unreadable file counts as missing.
    ///
    /// It is read and written while the app starts. The first use of `JSONEncoder` takes longer than all of that.
    package static func file(_ url: URL) -> SessionStorage {
        SessionStorage(
            load: {
                guard let file = try? PrivateFile(existing: url.path), let bytes = file.read(4_096) else { return nil }
                return SavedSession(text: String(decoding: bytes, as: UTF8.self))
            },
            // After a failed write, a restart continues the session that was stored before, or begins a new one.
            save: { try? PrivateFiles.replace(url.path, with: Array($0.text.utf8)) },
            remove: { PrivateFiles.removeFile(url.path) })
    }
}

extension SavedSession {
    /// One value a line, in a fixed order; the first is the format's version.
    var text: String {
        var text = "1\n\(id)\n\(previousID ?? "")\n\(startTimeUnixNano)\n"
        text += "\(start)\n\(lastActivity)\n\(lastInFront)\n\(screens)\n"
        text += "\(hasEnded ? 1 : 0)\n\(wall)\n\(steady)\n\(boot)\n"
        return text
    }

    /// `nil` for what is not such a text.
    init?(text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 13, lines[0] == "1", !lines[1].isEmpty, lines[12].isEmpty,
            let startTimeUnixNano = UInt64(lines[3]), let start = Int64(lines[4]), let lastActivity = Int64(lines[5]),
            let lastInFront = Int64(lines[6]), let screens = Int(lines[7]), let hasEnded = Int(lines[8]),
            let wall = UInt64(lines[9]), let steady = UInt64(lines[10])
        else { return nil }
        self.init(
            id: String(lines[1]), previousID: lines[2].isEmpty ? nil : String(lines[2]),
            startTimeUnixNano: startTimeUnixNano, start: start, lastActivity: lastActivity, lastInFront: lastInFront,
            screens: screens, hasEnded: hasEnded != 0, wall: wall, steady: steady, boot: String(lines[11]))
    }
}
