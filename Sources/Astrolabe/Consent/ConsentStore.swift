import AstrolabePlatform
import Foundation

/// The user's decision, and the deletion of everything else that the SDK has stored.
///
/// The decision is a file of one or two lines: its name, and the time of the last consent that followed a refusal, in
/// nanoseconds since 1970.
struct ConsentStore: Sendable {
    private static let name = "consent"
    /// Has the time of the consent since which everything in the folder was recorded.
    private static let mark = "agreed"
    /// The SDK's own folder.
    let folder: URL
    /// The folder of the decision: the same, unless several processes share it.
    let decisionFolder: URL
    /// The folder that the app names, where earlier versions stored the decision.
    let earlierFolder: URL?

    init(_ configuration: TelemetryConfiguration) {
        folder = configuration.folder
        decisionFolder = configuration.consentFolder
        earlierFolder = configuration.storageDirectory
    }

    /// The content of the file.
    enum Stored: Equatable {
        /// There is no file.
        case undecided
        case decided(TelemetryConsent, since: UInt64)
        /// The file has no decision in it, as after a loss of power. The user has decided, so it counts as denied.
        case damaged
        /// The system cannot read it. It counts as denied in this launch, and nothing is deleted.
        case unreadable(SystemError)
    }

    var stored: Stored {
        for place in decisionFolder == folder ? [folder] : [decisionFolder, folder] {
            let found = Self.read(place)
            if found != .undecided { return found }
        }
        // One that was not moved. A file without a decision may be the app's.
        let earlier = earlierFolder.map(Self.read) ?? .undecided
        return earlier == .damaged ? .undecided : earlier
    }

    private static func read(_ folder: URL) -> Stored {
        let path = path(in: folder)
        let bytes: [UInt8]?
        do throws(SystemError) {
            bytes = try PrivateFile(existing: path).read(64)
        } catch {
            return error.isMissingFile ? .undecided : .unreadable(error)
        }
        guard let bytes else { return .unreadable(SystemError("read", path)) }
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard let consent = lines.first.flatMap({ TelemetryConsent(rawValue: String($0)) }) else { return .damaged }
        return .decided(consent, since: lines.count > 1 ? UInt64(lines[1]) ?? 0 : 0)
    }

    private static func path(in folder: URL) -> String { folder.appendingPathComponent(name).path }

    /// Stores the decision, so that a loss of power does not undo it; returns the reason if it could not.
    func store(_ consent: TelemetryConsent, since: UInt64 = 0) -> String? {
        StorageFolder.prepare(decisionFolder)
        let path = Self.path(in: decisionFolder)
        do throws(SystemError) {
            let text = consent.rawValue + (since > 0 ? "\n\(since)\n" : "")
            try PrivateFiles.replaceDurably(path, with: Array(text.utf8))
            // The folder may be new, and the one above may not be the app's to open.
            try? PrivateFiles.synchronizeDirectory(decisionFolder.deletingLastPathComponent().path)
            return nil
        } catch {
            // A file without a decision counts as denied, and takes no space.
            if consent == .denied, Self.read(decisionFolder) != .decided(.denied, since: 0),
                let file = try? PrivateFile(path)
            {
                file.truncate(to: 0)
            }
            return error.description
        }
    }

    /// Deletes what was recorded before a consent that followed a refusal, unless that was done.
    ///
    /// The user may have refused and agreed while this process did not run, or a file could not be deleted then.
    ///
    /// - Parameters:
    ///   - since: The time of the consent; 0 if the user has never refused.
    ///   - report: Receives a line about what happened.
    /// - Throws: An error if something cannot be deleted, which must not be sent.
    func claim(since: UInt64, report: (String) -> Void) throws(SystemError) {
        guard since > 0 else { return }
        let mark = StorageMark(file: folder.appendingPathComponent(Self.mark), subject: "time of the consent")
        try mark.claim(
            for: String(since), from: "what was recorded before the user's consent", erase: { erase() },
            report: report)
    }

    /// Deletes everything in the SDK's own folder except the decision; returns what could not be deleted.
    ///
    /// - Parameter keepsMark: Whether the time of the consent stays too.
    func erase(keepsMark: Bool = false) -> [String] {
        let kept = keepsMark ? [Self.name, Self.mark] : [Self.name]
        return PrivateFiles.names(in: folder.path).filter { !kept.contains($0) }.compactMap { name in
            do {
                try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
                return nil
            } catch {
                let isGone = !FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path)
                return isGone ? nil : name
            }
        }
    }
}
