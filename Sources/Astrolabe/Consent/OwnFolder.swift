import AstrolabePlatform
import Foundation

extension TelemetryConfiguration {
    /// The name of the SDK's own folder in one that the app names.
    static let ownFolder = "astrolabe-telemetry"

    /// The SDK's own folder, in which nothing of the app's is.
    var folder: URL { storageDirectory.map(Self.own) ?? defaultStorageDirectory }

    /// The folder of the user's decision.
    var consentFolder: URL { consentDirectory.map(Self.own) ?? folder }

    private static func own(_ named: URL) -> URL { named.appendingPathComponent(ownFolder, isDirectory: true) }

    /// Moves what earlier versions stored directly in the folder that the app names into the SDK's own folder there.
    ///
    /// It takes files by their names, and only beside an installation id or a decision, so that a file of the app's is
    /// not taken for one of the SDK. These two are moved last: after a kill, the next start goes on. A server has
    /// neither, but a queue.
    func moveEarlierStorage() {
        guard let named = storageDirectory?.path, EarlierStorage.isIn(named, isServer: isServer) else { return }
        StorageFolder.prepare(folder)
        for name in EarlierStorage.names(in: named) { EarlierStorage.move(name, from: named, to: folder.path) }
    }
}

/// The files of versions that had no folder of their own.
private enum EarlierStorage {
    private static let queue = "queue.db"
    private static let installation = "installation-id"
    private static let consent = "consent"

    static func isIn(_ folder: String, isServer: Bool) -> Bool {
        if isServer, PrivateFiles.modified(folder + "/" + queue) != nil { return true }
        let decision = text(of: consent, in: folder).flatMap { TelemetryConsent(rawValue: $0) }
        return decision != nil || text(of: installation, in: folder).flatMap { UUID(uuidString: $0) } != nil
    }

    private static func text(of name: String, in folder: String) -> String? {
        (try? PrivateFile(existing: folder + "/" + name))?.read(64).map {
            String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    /// In the order in which they are moved: the log of a database before the database.
    static func names(in folder: String) -> [String] {
        let found = PrivateFiles.names(in: folder)
        let ofQueue = found.filter { $0.hasPrefix(queue + "-") }
        return (["journal", "health"] + ofQueue + [queue, "session", consent, installation])
            .filter { found.contains($0) }
    }

    /// If an earlier version ran after this one, its files take the place of the later ones, except for the queue:
    /// one is kept.
    static func move(_ name: String, from old: String, to new: String) {
        let (source, target) = (old + "/" + name, new + "/" + name)
        if name.hasPrefix(queue), PrivateFiles.modified(new + "/" + queue) != nil {
            PrivateFiles.removeFile(source)
            return
        }
        guard (try? PrivateFiles.move(source, to: target)) == nil, PrivateFiles.isDirectory(source) else { return }
        for entry in PrivateFiles.names(in: source) {
            try? PrivateFiles.move(source + "/" + entry, to: target + "/" + entry)
        }
        PrivateFiles.removeDirectory(source)
    }
}
