import AstrolabePlatform
import Foundation

/// Names this installation of the app, and nobody: a random UUID that a reinstall replaces.
enum InstallationID {
    /// The stored id, or a new one that is stored; where nothing can be stored, a new one for this launch.
    static func loadOrCreate(in directory: URL, makeID: () -> String) -> String {
        let file = directory.appendingPathComponent("installation-id")
        if let text = try? String(contentsOf: file, encoding: .utf8), UUID(uuidString: text) != nil { return text }
        let id = makeID()
        try? PrivateFiles.replace(file.path, with: Array(id.utf8))
        return id
    }
}
