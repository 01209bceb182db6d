package import AstrolabeTelemetryModel
import Foundation

/// An error as the attributes `exception.type` and `exception.message`.
///
/// The type of an error of Foundation is its domain and code, such as `NSURLErrorDomain/-1001`. The message is its
/// localized description, because the user info may hold paths and URLs.
package struct ExceptionDescription: Sendable {
    package let type: String
    package let message: String

    package static let eventName = "exception"

    package init(_ error: any Error) {
        type = Self.typeName(of: error)
        message =
            Self.foundationError(error)?.localizedDescription
            ?? (error as? any LocalizedError)?.errorDescription ?? String(describing: error)
    }

    /// The type alone, as `error.type` has it too.
    package static func typeName(of error: any Error) -> String {
        foundationError(error).map { "\($0.domain)/\($0.code)" } ?? name(of: Swift.type(of: error))
    }

    /// The error as an `NSError` if it is one, or one of the types that Foundation makes of some of them.
    private static func foundationError(_ error: any Error) -> NSError? {
        if Swift.type(of: error) is NSError.Type || error is CocoaError || error is POSIXError {
            return error as NSError
        }
        let bridged = error as NSError
        return bridged.domain == NSURLErrorDomain ? bridged : nil
    }

    /// Returns true if an error is a cancellation, which is no failure. `URLSession` throws `URLError.cancelled` if its
    /// task is cancelled.
    package static func isCancellation(_ error: any Error) -> Bool {
        if error is CancellationError { return true }
        let bridged = error as NSError
        switch bridged.domain {
        case NSURLErrorDomain: return bridged.code == NSURLErrorCancelled
        case NSCocoaErrorDomain: return bridged.code == CocoaError.Code.userCancelled.rawValue
        default: return false
        }
    }

    /// The qualified name, without the address that Swift puts in for a file or a function that the type is private to.
    /// That address differs in every build, and what cannot be grouped cannot be counted.
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
