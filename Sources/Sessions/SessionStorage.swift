import AstrolabePlatform
package import Foundation

/// The storage of the current session across restarts.
package struct SessionStorage: Sendable {
    package var load: @Sendable () -> StoredSession?
    package var save: @Sendable (StoredSession) -> Void

    package init(load: @escaping @Sendable () -> StoredSession?, save: @escaping @Sendable (StoredSession) -> Void) {
        self.load = load
        self.save = save
    }

    /// Storage that keeps nothing.
    package static let none = SessionStorage(load: { nil }, save: { _ in })

    /// A small JSON file, replaced as a whole. An unreadable file counts as missing; after a failed write, a restart
    /// begins a new session.
    package static func file(_ url: URL) -> SessionStorage {
        SessionStorage(
            load: {
                guard let data = try? Data(contentsOf: url), data.count < 4_096 else { return nil }
                return try? JSONDecoder().decode(StoredSession.self, from: data)
            },
            save: { session in
                guard let data = try? JSONEncoder().encode(session) else { return }
                try? PrivateFiles.replace(url.path, with: Array(data))
            }, )
    }
}
