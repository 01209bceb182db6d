/// The errors of storing debug symbols and of symbolicating addresses.
package enum SymbolError: Error, Hashable, Sendable {
    case noFile(path: String)
    case unreadable(path: String, detail: String)
    /// The file is not a supported executable, library or debug file.
    case notAnImage(path: String, detail: String)
    case noBuildID(path: String)
    /// The file has neither lines nor functions, because it was stripped.
    case stripped(path: String, buildID: BuildID)
    case tooLarge(path: String, bytes: UInt64, limit: UInt64)
    case storeFull(folder: String, bytes: UInt64, limit: UInt64)
    case cannotStore(folder: String, detail: String)
    case noSymbolizer
    case badSymbolizer(path: String)
    case symbolizerExited(detail: String)
    case symbolizerTimedOut(seconds: Int64)
}

extension SymbolError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noFile(let path):
            "no such file: \(path). Expected an executable, a library, a .debug file or a .dSYM bundle."
        case .unreadable(let path, let detail):
            "cannot read \(path): \(detail)."
        case .notAnImage(let path, let detail):
            """
            \(path) has no debug symbols: \(detail). Expected an executable, a library, a .debug file or a .dSYM \
            bundle.
            """
        case .noBuildID(let path):
            """
            \(path) has no build ID, which is needed to match it to crashes. Link it with a build ID: \
            swift build -Xlinker --build-id. On Apple platforms the linker always adds one.
            """
        case .stripped(let path, let buildID):
            """
            \(path) (build ID \(buildID)) was stripped: it has neither DWARF nor symbols. Add the unstripped file or \
            its .dSYM.
            """
        case .tooLarge(let path, let bytes, let limit):
            "\(path) is too large: \(bytes) bytes. The limit for one build is \(limit) bytes."
        case .storeFull(let folder, let bytes, let limit):
            """
            \(folder) would exceed its limit: \(bytes) of \(limit) bytes. Remove builds that are no longer in use.
            """
        case .cannotStore(let folder, let detail):
            "cannot write to \(folder): \(detail). Check its permissions and the free space."
        case .noSymbolizer:
            """
            llvm-symbolizer was not found, so addresses cannot be symbolicated. It is part of the Swift toolchain. \
            Add the toolchain's bin folder to PATH, or set ASTROLABE_SYMBOLIZER to the tool's path.
            """
        case .badSymbolizer(let path):
            "ASTROLABE_SYMBOLIZER is set to \(path), which is not an executable file."
        case .symbolizerExited(let detail):
            "llvm-symbolizer failed: \(detail)."
        case .symbolizerTimedOut(let seconds):
            "llvm-symbolizer timed out after \(seconds) s and was stopped."
        }
    }
}
