package import Foundation

/// The folder of an installation.
///
/// On Apple platforms it stays out of backups: a phone that was restored from one would have another phone's
/// installation id, and would send that one's records and crash reports again. On Apple devices it is of the same class
/// of protection as the files in it, so that an app that is woken while the phone is locked finds its id.
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
        PrivateFiles.protect(folder.path)
    }
}
