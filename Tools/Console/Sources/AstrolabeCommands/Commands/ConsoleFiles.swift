import ArgumentParser
import ConsoleAccess
import Foundation

/// The option of the commands that share files with a console: its database, next to which the other files are.
struct ConsoleFiles: ParsableArguments {
    static let defaultDatabase = ".astrolabe/console.sqlite"
    /// The variable that the console reads, too.
    static let variable = ConsoleSetting.variablePrefix + "DATABASE"

    @Option(
        help: "The database of the console. (default: \(ConsoleFiles.variable), or \(ConsoleFiles.defaultDatabase))")
    var database: String?

    /// The database: that of the option, of the variable, or the default one.
    var databaseFile: URL {
        let given = CommandShell.current.environment()[Self.variable] ?? ""
        return URL(fileURLWithPath: database ?? (given.isEmpty ? Self.defaultDatabase : given))
    }

    /// The file or folder of a name next to the database.
    func file(_ name: String) -> URL {
        databaseFile.deletingLastPathComponent().appendingPathComponent(name)
    }

    /// A sentence for a console that admits everyone although there are keys at the default place; `nil` for others.
    ///
    /// - Parameter keysPath: The file that the console reads.
    static func note(
        keysPath: String, elsewhere: String = URL(fileURLWithPath: ".astrolabe/keys.json").path,
    ) -> String? {
        func hasKeys(_ path: String) -> Bool { (try? KeyFile(path: path, digest: nil).keys())?.isEmpty == false }
        guard keysPath != elsewhere, !hasKeys(keysPath), hasKeys(elsewhere) else { return nil }
        return """
            note: this console admits everyone on this machine, because \(keysPath) has no key. The keys in \
            \(elsewhere) are not its own: make some with `astrolabe keys create --database`.
            """
    }
}
