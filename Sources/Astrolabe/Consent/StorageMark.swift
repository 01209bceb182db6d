import AstrolabePlatform
import Foundation

/// A file in the SDK's own folder that says to whom or what everything in the folder belongs.
struct StorageMark: Sendable {
    /// Bytes of the text that count.
    private static let limit = 1_024

    let file: URL
    /// Names what the text is, in a diagnostic.
    let subject: String

    /// Deletes what belongs to another owner, or to none, unless that was done.
    ///
    /// - Parameters:
    ///   - owner: The text of the file from now on.
    ///   - others: Describes what is deleted, in an error.
    ///   - erase: Deletes what is stored, and returns what could not be deleted.
    ///   - report: Receives a line if the text cannot be stored.
    /// - Throws: An error if the file cannot be read, or if something cannot be deleted, which must not be sent.
    func claim(
        for owner: String, from others: String, erase: () -> [String], report: (String) -> Void,
    ) throws(SystemError) {
        let text = Array(owner.utf8.prefix(Self.limit))
        do throws(SystemError) {
            guard let found = try PrivateFile(existing: file.path).read(Self.limit) else {
                throw SystemError("read", file.path)
            }
            if found == text { return }
        } catch {
            guard error.isMissingFile else { throw error }
        }
        let folder = file.deletingLastPathComponent()
        if let name = erase().first {
            throw SystemError("delete \(others):", folder.appendingPathComponent(name).path)
        }
        StorageFolder.prepare(folder)
        do throws(SystemError) {
            try PrivateFiles.replace(file.path, with: text)
        } catch {
            report("The \(subject) cannot be stored, so the next start deletes what this one stores: \(error)")
        }
    }
}
