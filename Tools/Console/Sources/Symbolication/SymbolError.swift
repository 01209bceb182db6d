/// Why debug information could not be taken, or addresses not be turned into lines.
package enum SymbolError: Error, Hashable, Sendable {
    case noFile(path: String)
    case unreadable(path: String, detail: String)
    /// No executable, library or debug file that is understood.
    case notAnImage(path: String, detail: String)
    case noBuildID(path: String)
    /// Neither lines nor functions: the file was stripped.
    case stripped(path: String, buildID: BuildID)
    case tooLarge(path: String, bytes: UInt64, limit: UInt64)
    case storeFull(folder: String, bytes: UInt64, limit: UInt64)
    case cannotStore(folder: String, detail: String)
    case noSymbolizer
    case badSymbolizer(path: String)
    case symbolizerEnded(detail: String)
    case symbolizerSilent(seconds: Int64)
}

extension SymbolError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noFile(let path):
            "there is no file \(path). Name an executable, a library, a .debug file or a .dSYM bundle."
        case .unreadable(let path, let detail):
            "\(path) cannot be read: \(detail)."
        case .notAnImage(let path, let detail):
            """
            \(path) holds no debug information: \(detail). Name an executable, a library, a .debug file or a .dSYM \
            bundle.
            """
        case .noBuildID(let path):
            """
            \(path) has no build id, by which crashes name it. Link it with one: \
            swift build -Xlinker --build-id (on Apple platforms the linker writes one by itself).
            """
        case .stripped(let path, let buildID):
            """
            \(path) has the build id \(buildID) but neither DWARF nor symbols: it was stripped. Name the file from \
            before stripping, or its .dSYM.
            """
        case .tooLarge(let path, let bytes, let limit):
            "\(path) has \(bytes) bytes; at most \(limit) are taken of one build."
        case .storeFull(let folder, let bytes, let limit):
            """
            \(folder) would hold \(bytes) bytes and may hold \(limit). Remove builds there that nobody runs any more.
            """
        case .cannotStore(let folder, let detail):
            "\(folder) cannot be written: \(detail). Check its permissions and the space left."
        case .noSymbolizer:
            """
            llvm-symbolizer was not found, so addresses stay addresses. It comes with the Swift toolchain: put the \
            toolchain's bin folder in PATH, or name the tool in ASTROLABE_SYMBOLIZER.
            """
        case .badSymbolizer(let path):
            "ASTROLABE_SYMBOLIZER names \(path), which is no program that may be run."
        case .symbolizerEnded(let detail):
            "llvm-symbolizer ended before it had answered: \(detail)."
        case .symbolizerSilent(let seconds):
            "llvm-symbolizer did not answer within \(seconds) s and was ended."
        }
    }
}
