package import Foundation

/// The folder of an installation.
///
/// On Apple platforms it is excluded from backups. A restored device would otherwise have another device's installation
/// id, and would send that device's records and crash reports again. It has the same protection class as the files in
/// it, so that an app launched while the device is locked can read its id.
package enum StorageFolder {
    /// Creates the folder and its parents for the owner alone (0700), if that is possible.
    package static func prepare(_ folder: URL) {
        // Otherwise each file in it fails too, and says why.
        try? PrivateFiles.makeDirectory(folder.path)
        #if canImport(Darwin)
        var folder = folder
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        // Otherwise a backup has the folder, and a restored device has this one's id.
        try? folder.setResourceValues(values)
        #endif
        PrivateFiles.protect(folder.path)
    }
}
