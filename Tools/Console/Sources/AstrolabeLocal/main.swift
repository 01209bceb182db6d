import AstrolabeCommands
import TelemetryConsole

await AstrolabeCommand.run(with: ConsoleCapabilities())
