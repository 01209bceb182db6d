package import ArgumentParser
package import TelemetryConsole

/// The command `astrolabe`. Two programs run it: `astrolabe`, and `astrolabe-local`, which is built sooner.
package struct AstrolabeCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "astrolabe",
        abstract: "Run the Astronomy Shop, its backend, a simulated phone and the telemetry console.",
        subcommands: [
            BackupCommand.self, BoardsCommand.self, CheckCommand.self, DemoCommand.self, ConsoleCommand.self,
            ExportCommand.self, FleetCommand.self,
            HistoryCommand.self, ImportCommand.self, KeysCommand.self, MCPCommand.self, NewAppCommand.self,
            PolicyCommand.self, QueryCommand.self, ReleaseCommand.self, RestoreCommand.self, ShopServerCommand.self,
            ShopperCommand.self, SimulateCommand.self, SymbolsCommand.self,
        ])

    package init() {}

    /// Runs the command that the arguments of this process name, and ends the process.
    ///
    /// - Parameter capabilities: What the consoles that it starts can do.
    package static func run(with capabilities: ConsoleCapabilities) async {
        var shell = CommandShell.process
        shell.capabilities = capabilities
        await CommandShell.$current.withValue(shell) { await main() }
    }
}
