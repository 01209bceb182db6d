import SwiftUI

/// An error with a message for the user.
protocol UserFacing: Error {
    /// What happened and what to do, without technical detail.
    var userMessage: String { get }
}

extension Error {
    /// The error's own message, or a general one.
    var messageForPerson: String {
        (self as? any UserFacing)?.userMessage ?? String(localized: "Something went wrong. Please try again.")
    }
}
