package import AstrolabeTelemetryModel
import Foundation

/// An error as the attributes `exception.type` and `exception.message`.
package struct ExceptionDescription: Sendable {
    package let type: String
    package let message: String

    package static let eventName = "exception"

    package init(_ error: any Error) {
        type = Self.name(of: Swift.type(of: error))
        message = (error as? any LocalizedError)?.errorDescription ?? String(describing: error)
    }

    /// The qualified name, without the address that Swift puts in for a file or a function that the type is private to:
    /// it differs in every build, and what cannot be grouped cannot be counted.
    private static func name(of type: any Error.Type) -> String {
        var name = String(reflecting: type)
        while let start = name.range(of: "(unknown context at "), let end = name[start.upperBound...].range(of: ").") {
            name.removeSubrange(start.lowerBound..<end.upperBound)
        }
        return name
    }

    package var attributes: Attributes {
        ["exception.type": type, "exception.message": message]
    }
}
