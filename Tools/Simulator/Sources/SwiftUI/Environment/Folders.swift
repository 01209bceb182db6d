public import Foundation

/// The folders of the app, which Foundation on Linux names only through `FileManager`.
extension URL {
    public static var documentsDirectory: URL { folder(.documentDirectory, "Documents") }
    public static var cachesDirectory: URL { folder(.cachesDirectory, "Library/Caches") }
    public static var applicationSupportDirectory: URL {
        folder(.applicationSupportDirectory, "Library/Application Support")
    }
    public static var libraryDirectory: URL { folder(.libraryDirectory, "Library") }

    private static func folder(_ directory: FileManager.SearchPathDirectory, _ fallback: String) -> URL {
        FileManager.default.urls(for: directory, in: .userDomainMask).first
            ?? homeDirectory.appendingPathComponent(fallback)
    }
}
