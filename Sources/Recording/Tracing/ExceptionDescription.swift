import Foundation
package import TelemetryModel

/// An error as the attributes `exception.type` and `exception.message`.
package struct ExceptionDescription: Sendable {
    package let type: String
    package let message: String

    package static let eventName = "exception"

    package init(_ error: any Error) {
        type = String(reflecting: Swift.type(of: error))
        message = (error as? any LocalizedError)?.errorDescription ?? String(describing: error)
    }

    package var attributes: Attributes {
        ["exception.type": .string(type), "exception.message": .string(message)]
    }
}
