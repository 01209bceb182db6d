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
            // The compiler asks once for each role, and one message is enough.
            guard use.macroRole == "accessor" else { return .expansion("") }
            return .expansion("", diagnostics: [.init(message: error.description, position: use.declSyntax.start)])
        }
    }
}

extension PluginRequest.Syntax {
    /// The start of the declaration, after the white space before it.
    fileprivate var start: PluginReply.Diagnostic.Position {
        let space = source.utf8.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }.count
        return .init(fileName: location.fileName, offset: location.offset + space)
    }
}
