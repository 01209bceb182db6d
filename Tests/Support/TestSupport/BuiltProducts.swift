package import Foundation

/// The executables built next to the tests' bundle or executable.
package enum BuiltProducts {
    package static func executable(named name: String) throws -> URL {
        var directory = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") { directory = bundle.bundleURL }
        while directory.path != "/" {
            directory.deleteLastPathComponent()
            let candidate = directory.appendingPathComponent(name)
            if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
        }
        throw NotBuilt(name: name)
    }

    package struct NotBuilt: Error, CustomStringConvertible {
        let name: String
        package var description: String { "expected the executable \(name) beside the tests; build the whole package" }
    }
}
