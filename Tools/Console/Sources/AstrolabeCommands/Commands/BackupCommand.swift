import ArgumentParser
import ConsoleModel
import ConsoleStore
import Foundation

/// The command that copies the database of a console while the console runs.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy the database of a console, also while the console runs.")

    @OptionGroup var files: ConsoleFiles

    @Option(help: "The file to write. It must not exist.")
    var to: String

    func run() async throws {
        try await UserFacingErrors.run {
            let target = URL(fileURLWithPath: to).path
            try StoreCopy.make(of: files.databaseFile.path, at: target)
            say("Wrote \(target)")
        }
    }
}

/// The command that puts a copy in the place of a console's database.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Check a copy of a database, and put it where a console expects it.",
        discussion: "Stop the console and move its database away first, with its -wal and -shm files.")

    @Option(help: "The file that astrolabe backup wrote.")
    var from: String

    @OptionGroup var files: ConsoleFiles

    func run() async throws {
        try await UserFacingErrors.run {
            let target = files.databaseFile.path
            try StoreCopy.make(of: URL(fileURLWithPath: from).path, at: target)
            say("Wrote \(target)")
        }
    }
}
