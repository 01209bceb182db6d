import ArgumentParser

@main
struct AstrolabeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "astrolabe",
        abstract: "Mobile telemetry you can watch: a shop, its backend and a console, on real OpenTelemetry.",
        subcommands: [
            DemoCommand.self, ConsoleCommand.self, FleetCommand.self, ShopServerCommand.self, ShopperCommand.self,
            SimulateCommand.self, SymbolsCommand.self,
        ], )
}
