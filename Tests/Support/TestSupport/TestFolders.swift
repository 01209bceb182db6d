import AstrolabePlatform
package import Foundation

/// Folders for the tests of this process, which are removed when it ends.
///
/// What a test started may write once more after the test, and so bring a removed folder back. Then a test's own
/// `defer` leaves it. Nothing is left of these, unless the process is killed. A test that ends a process runs in a
/// child of this one, whose folders lie in this one's.
package enum TestFolders {
    /// The path of a file or folder that no other test uses; it does not exist yet.
    package static func path(_ name: String) -> String { root + "/" + name + "-" + IDGenerator().nextUUID() }

    /// The URL of a folder that no other test uses; it does not exist yet.
    package static func folder(_ name: String) -> URL { URL(fileURLWithPath: path(name), isDirectory: true) }

    private static let owner = getpid()

    private static let variable = "ASTROLABE_TEST_FOLDERS"

    private static let root: String = {
        if let path = ProcessInfo.processInfo.environment[variable] { return path }
        let path = FileManager.default.temporaryDirectory.path + "/tests-" + IDGenerator().nextUUID().prefix(8)
        try? PrivateFiles.makeDirectory(path)
        atexit {
            // A forked process that exits leaves the folder to its parent.
            if getpid() == TestFolders.owner { try? FileManager.default.removeItem(atPath: TestFolders.root) }
        }
        _ = owner
        setenv(variable, path, 1)
        return path
    }()
}
