import AstrolabePlatform
import Foundation

/// The id of this installation of the app, and of no person: a random UUID that a reinstall replaces.
enum InstallationID {
    private static let name = "installation-id"

    /// Why the file of the id cannot be opened; `nil` if it can.
    static func openingError(in directory: URL) -> SystemError? {
        StorageFolder.prepare(directory)
        do throws(SystemError) {
            _ = try PrivateFile(directory.appendingPathComponent(name).path)
            return nil
        } catch {
            return error
        }
    }

    /// The stored id, or a new one that is stored; where nothing can be stored, a new one for this launch.
    static func loadOrCreate(in directory: URL, makeID: () -> String) -> String {
        let file = directory.appendingPathComponent(name)
        if let text = try? String(contentsOf: file, encoding: .utf8), UUID(uuidString: text) != nil { return text }
        let id = makeID()
        // Otherwise it holds for this launch.
        try? PrivateFiles.replace(file.path, with: Array(id.utf8))
        return id
    }
}
