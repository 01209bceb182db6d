import Foundation

/// The checkout of this repository whose build folder contains the running program.
struct RepositoryCheckout {
    let root: URL
    /// "debug" or "release", as this program was built.
    let configuration: String

    private static let workspaceName = "Astrolabe.xcworkspace"
    private static let contents = "contents.xcworkspacedata"
    private static let resolved = "xcshareddata/swiftpm/Package.resolved"

    /// - Returns: `nil` if the program is not in a checkout.
    static func current() throws -> RepositoryCheckout? {
        let folder = try ChildProcess.executable().deletingLastPathComponent()
        var root = folder
        while root.pathComponents.count > 1 {
            if FileManager.default.fileExists(atPath: root.appendingPathComponent(workspaceName).path) {
                return RepositoryCheckout(root: root, configuration: folder.lastPathComponent)
            }
            root.deleteLastPathComponent()
        }
        return nil
    }

    /// A workspace of the checkout's packages and one more, with the versions that the checkout has resolved.
    ///
    /// It is written into the package's build folder. A package of the checkout needs no other workspace.
    func workspace(with package: URL) throws -> URL {
        let own = root.appendingPathComponent(Self.workspaceName)
        let text = try String(contentsOf: own.appendingPathComponent(Self.contents), encoding: .utf8)
        let locations = text.matches(of: /location="group:([^"]*)"/).map { String($0.1) }
        let folders = locations.map { root.appendingPathComponent($0).standardizedFileURL.path }
        if folders.contains(package.path) { return own }
        let files = FileManager.default
        let new = package.appendingPathComponent(".build/astrolabe/App.xcworkspace", isDirectory: true)
        let resolved = new.appendingPathComponent(Self.resolved)
        try files.createDirectory(at: resolved.deletingLastPathComponent(), withIntermediateDirectories: true)
        let references = (folders + [package.path]).map { "  <FileRef location=\"absolute:\($0)\"></FileRef>\n" }
        let data =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Workspace version=\"1.0\">\n\(references.joined())</Workspace>\n"
        try Data(data.utf8).write(to: new.appendingPathComponent(Self.contents))
        // What the package has resolved before, it keeps.
        let pins = own.appendingPathComponent(Self.resolved)
        if !files.fileExists(atPath: resolved.path), files.fileExists(atPath: pins.path) {
            try files.copyItem(at: pins, to: resolved)
        }
        return new
    }
}
