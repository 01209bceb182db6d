package import Foundation

/// The folder of an installation, and the small files in it.
///
/// On Apple platforms it stays out of backups: a phone that was restored from one would have another phone's
/// installation id, and would send that one's records and crash reports again. On Apple devices it is of the same class
/// of protection as `PrivateFiles`, so that an app that is woken while the phone is locked finds its id.
package enum StorageFolder {
    /// Makes the folder, and those above it, for the owner alone (0700). Where that cannot be, its files cannot be
    /// written either, and nothing else happens.
    package static func prepare(_ folder: URL) {
        try? PrivateFiles.makeDirectory(folder.path)
        #if canImport(Darwin)
        var folder = folder
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try? folder.setResourceValues(values)
        #endif
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
        try? FileManager.default.setAttributes(
            [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication], ofItemAtPath: folder.path,
        )
        #endif
    }

    /// Writes a file, or replaces it as a whole.
    package static func write(_ data: Data, to file: URL) throws {
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
        try data.write(to: file, options: [.atomic, .completeFileProtectionUntilFirstUserAuthentication])
        #else
        try data.write(to: file, options: .atomic)
        #endif
    }
}
