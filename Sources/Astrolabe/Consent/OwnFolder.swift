import AstrolabeJournal
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
    /// The app may have files and folders of the same names. So they are taken only beside an installation id or, on a
    /// server, a run in the journal, and of folders only what the SDK has named. These two are moved last: after a
    /// kill, the next start goes on. A decision alone, as after a refusal, is read where it is.
    func moveEarlierStorage() {
        guard let named = storageDirectory?.path else { return }
        let names = EarlierStorage.names(in: named, isServer: isServer)
        guard !names.isEmpty else { return }
        StorageFolder.prepare(folder)
        for name in names { EarlierStorage.move(name, from: named, to: folder.path) }
    }
}

/// The files of versions that had no folder of their own.
private enum EarlierStorage {
    private static let queue = "queue.db"
    private static let installation = "installation-id"
    private static let consent = "consent"
    private static let journal = "journal"

    /// In the order in which they are moved: the log of a database before the database.
    static func names(in folder: String, isServer: Bool) -> [String] {
        let isOfSDK =
            text(of: installation, in: folder).flatMap { UUID(uuidString: $0) } != nil
            || isServer && PrivateFiles.names(in: folder + "/" + journal).contains(where: isRun)
        guard isOfSDK else { return [] }
        let found = PrivateFiles.names(in: folder)
        let ofQueue = found.filter { $0.hasPrefix(queue + "-") }
        let decision = text(of: consent, in: folder).flatMap { TelemetryConsent(rawValue: $0) }
        return (["health"] + ofQueue + [queue, "session", journal, consent, installation]).filter {
            found.contains($0) && ($0 != consent || decision != nil)
        }
    }

    private static func text(of name: String, in folder: String) -> String? {
        (try? PrivateFile(existing: folder + "/" + name))?.read(64).map {
            String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    /// Returns true if a name in the journal's folder is that of a run, or of one that was being made or removed.
    private static func isRun(_ name: String) -> Bool {
        let id = [".new-", ".done-"].first { name.hasPrefix($0) }.map { name.dropFirst($0.count) } ?? name[...]
        return RunID(String(id)) != nil
    }

    /// If an earlier version ran after this one, its files take the place of the later ones, except for the queue:
    /// one is kept.
    static func move(_ name: String, from old: String, to new: String) {
        let (source, target) = (old + "/" + name, new + "/" + name)
        if PrivateFiles.isDirectory(source) {
            moveEntries(of: source, to: target)
        } else if name.hasPrefix(queue), PrivateFiles.modified(new + "/" + queue) != nil {
            PrivateFiles.removeFile(source)
        } else {
            // What cannot be moved is tried again at the next start.
            try? PrivateFiles.move(source, to: target)
        }
    }

    /// Moves what the SDK has named in a folder, in which the app may have files too.
    private static func moveEntries(of source: String, to target: String) {
        let own = PrivateFiles.names(in: source).filter { name in
            isRun(name) || name.hasSuffix(".run") || ["reported", "exits"].contains(name)
        }
        // Without the folder, no file can be moved.
        if !own.isEmpty { try? PrivateFiles.makeDirectory(target) }
        // What cannot be moved is tried again at the next start.
        for name in own { try? PrivateFiles.move(source + "/" + name, to: target + "/" + name) }
        if PrivateFiles.names(in: source).isEmpty { PrivateFiles.removeDirectory(source) }
    }
}
