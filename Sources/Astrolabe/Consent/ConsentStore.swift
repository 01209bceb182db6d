import AstrolabePlatform
import Foundation

/// The user's decision in the storage folder, and the deletion of everything else there.
struct ConsentStore: Sendable {
    private static let name = "consent"
    let folder: URL

    /// The stored decision; `nil` if there is none.
    var decision: TelemetryConsent? {
        let file = try? PrivateFile(existing: folder.appendingPathComponent(Self.name).path)
        let text = file?.read(64).map { String(decoding: $0, as: UTF8.self) }
        return text.flatMap { TelemetryConsent(rawValue: $0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }

    /// Stores the decision; returns the reason if it could not.
    func store(_ consent: TelemetryConsent) -> String? {
        StorageFolder.prepare(folder)
        do throws(SystemError) {
            try PrivateFiles.replace(folder.appendingPathComponent(Self.name).path, with: Array(consent.rawValue.utf8))
            return nil
        } catch {
            return error.description
        }
    }

    /// Deletes everything in the folder except the decision; returns what could not be deleted.
    func erase() -> [String] {
        PrivateFiles.names(in: folder.path).filter { $0 != Self.name }.compactMap { name in
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
