package import Foundation

/// The locations of the toolchain's symbolication tools.
package struct Toolchain: Sendable, Hashable {
    /// The path of `llvm-symbolizer`.
    package let symbolizer: URL
    /// The toolchain's demangling library, which returns shorter names than the Swift runtime.
    let demanglerLibrary: URL?

    package static let settingName = "ASTROLABE_SYMBOLIZER"

    /// Searches for the tools: in `ASTROLABE_SYMBOLIZER`, then next to this program, as in a release's archive, then
    /// next to `swift`, then in `PATH`.
    package static func find(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        program: URL? = Bundle.main.executableURL,
    ) throws(SymbolError) -> Toolchain {
        let folders = (environment["PATH"] ?? "").split(separator: ":").map { URL(fileURLWithPath: String($0)) }
        let swift = folders.map { $0.appendingPathComponent("swift") }.first(where: isProgram)
        let beside = [program, swift].compactMap { $0?.resolvingSymlinksInPath().deletingLastPathComponent() }
        let library = beside.lazy.compactMap(demanglerLibrary).first
        if let setting = environment[settingName], !setting.isEmpty {
            let tool = URL(fileURLWithPath: setting)
            guard isProgram(tool) else { throw .badSymbolizer(path: setting) }
            return Toolchain(symbolizer: tool, demanglerLibrary: library)
        }
        let places = (beside + folders).map { $0.appendingPathComponent("llvm-symbolizer") }
        guard let tool = places.first(where: isProgram) else { throw .noSymbolizer }
        return Toolchain(symbolizer: tool, demanglerLibrary: library)
    }

    private static func isProgram(_ file: URL) -> Bool {
        var isFolder: ObjCBool = false
        let files = FileManager.default
        return files.fileExists(atPath: file.path, isDirectory: &isFolder) && !isFolder.boolValue
            && files.isExecutableFile(atPath: file.path)
    }

    private static func demanglerLibrary(beside tools: URL) -> URL? {
        let libraries = tools.deletingLastPathComponent().appendingPathComponent("lib")
        return ["libswiftDemangle.so", "libswiftDemangle.dylib"].map { libraries.appendingPathComponent($0) }
            .first { FileManager.default.fileExists(atPath: $0.path) }
    }
}
