import SwiftUI

/// An error with a message for the user.
protocol UserFacing: Error {
    /// The failure and what to do about it, without technical detail.
    var userMessage: String { get }
}

extension Error {
    /// The error's own message, or a general one.
    var messageForPerson: String {
        (self as? any UserFacing)?.userMessage ?? String(localized: "Something went wrong. Please try again.")
    }
}
