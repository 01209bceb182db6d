import ArgumentParser
import Foundation
import Symbolication

/// The command that stores the debug symbols that the console uses to symbolicate addresses.
struct SymbolsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "symbols", abstract: "Manage the debug symbols that symbolicate crashes and hangs.",
        subcommands: [Add.self, List.self, SymbolsUploadCommand.self])

    struct Options: ParsableArguments {
        @OptionGroup var files: ConsoleFiles

        @Option(help: "The folder of the symbols. (default: symbols, next to the database)")
        var folder: String?

        var store: SymbolStore { SymbolStore(folder: folder.map { URL(fileURLWithPath: $0) } ?? files.file("symbols")) }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add the debug symbols of executables, libraries, .debug files and .dSYM bundles.")

        @OptionGroup var options: Options

        @Argument(help: "Files with debug symbols (not stripped).")
        var files: [String]

        func run() async throws {
            try await UserFacingErrors.run {
                for file in files {
                    for addition in try options.store.add(URL(fileURLWithPath: file)) {
                        say("\(addition.isNew ? "added " : "exists")  \(line(addition.symbols))")
                    }
                }
                say("They are in \(options.store.folder.path)")
                do {
                    _ = try Toolchain.find()
                } catch {
                    say("note: \(error)")
                }
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the stored symbols, newest first.")

        @OptionGroup var options: Options

        func run() async throws {
            let all = options.store.list()
            if all.isEmpty {
                say("No symbols in \(options.store.folder.path). Run `astrolabe symbols add FILE` to add some.")
            }
            for symbols in all { say(line(symbols)) }
        }
    }
}

private func line(_ symbols: StoredSymbols) -> String {
    let facts = symbols.facts
    let kept = facts.hasLines ? "lines" : "functions only"
    let size = ByteCountFormatter.string(fromByteCount: Int64(clamping: symbols.bytes), countStyle: .binary)
    return "\(symbols.buildID)  \(symbols.name)  \(facts.format.rawValue) \(facts.architecture), \(kept), \(size)"
}
