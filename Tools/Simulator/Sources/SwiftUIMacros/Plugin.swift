import Foundation

/// The program that the compiler runs to expand the macros of SwiftUI.
@main
struct Plugin {
    static func main() throws {
        while let request = try FileHandle.standardInput.nextMessage() {
            try FileHandle.standardOutput.send(reply(to: request))
        }
    }

    /// `#Preview` and `@Previewable` stand for nothing, because no phone shows previews. Their code is type-checked.
    static func reply(to request: PluginRequest) -> PluginReply {
        if request.getCapability != nil { return .capability }
        guard let use = request.expandAttachedMacro, use.macro.typeName == "Entry" else { return .expansion("") }
        do {
            let entry = try EntryMacro(use.declSyntax.source)
            return .expansion(use.macroRole == "accessor" ? entry.accessors : entry.key)
        } catch {
            let location = use.declSyntax.location
            return .expansion(
                "",
                diagnostics: [
                    PluginReply.Diagnostic(
                        message: error.description,
                        position: .init(fileName: location.fileName, offset: location.offset),
                    )
                ],
            )
        }
    }
}
