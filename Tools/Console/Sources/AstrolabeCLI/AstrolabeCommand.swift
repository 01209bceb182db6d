import ArgumentParser

@main
struct AstrolabeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "astrolabe",
        abstract: "Run the Astronomy Shop, its backend, a simulated phone and the telemetry console.",
        subcommands: [
            BackupCommand.self, BoardsCommand.self, CheckCommand.self, DemoCommand.self, ConsoleCommand.self,
            ExportCommand.self, FleetCommand.self,
            HistoryCommand.self, ImportCommand.self, KeysCommand.self, MCPCommand.self, NewAppCommand.self,
            QueryCommand.self, ReleaseCommand.self, RestoreCommand.self, ShopServerCommand.self, ShopperCommand.self,
            SimulateCommand.self, SymbolsCommand.self,
        ], )
}
