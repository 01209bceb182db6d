import ArgumentParser
import Foundation
import Symbolication

/// Debug information of the app's builds, by which the console turns addresses into functions and lines.
struct SymbolsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "symbols", abstract: "Keep debug information of builds, for crashes and hangs to be read by.",
        subcommands: [Add.self, List.self], )

    struct Options: ParsableArguments {
        @Option(help: "The folder that keeps them; the console looks beside its database.")
        var folder = ".astrolabe/symbols"

        var store: SymbolStore { SymbolStore(folder: URL(fileURLWithPath: folder)) }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Keep the debug information of executables, libraries, .debug files and .dSYM bundles.")

        @OptionGroup var options: Options

        @Argument(help: "Files from before stripping.")
        var files: [String]

        func run() async throws {
            try await UserFacingErrors.run {
                for file in files {
                    for addition in try options.store.add(URL(fileURLWithPath: file)) {
                        switch addition {
                        case .added(let symbols): say("kept   \(line(symbols))")
                        case .known(let symbols): say("known  \(line(symbols))")
                        }
                    }
                }
                do {
                    _ = try Toolchain.find()
                } catch {
                    say("note: \(error)")
                }
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show what is kept, the latest first.")

        @OptionGroup var options: Options

        func run() async throws {
            let all = options.store.list()
            if all.isEmpty { say("\(options.folder) keeps no debug information; `astrolabe symbols add FILE` does.") }
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
