package import Foundation

/// The folder of an installation.
///
/// On Apple platforms it is excluded from backups. A restored device would otherwise have another device's installation
/// id, and would send that device's records and crash reports again. It has the same protection class as the files in
/// it, so that an app launched while the device is locked can read its id.
package enum StorageFolder {
    /// Creates the folder and its parents for the owner alone (0700). Ignores failures, because writing the files will
    /// then fail too.
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
