import AstrolabeCommands
import ConsoleTransports

await AstrolabeCommand.run(with: .all)
