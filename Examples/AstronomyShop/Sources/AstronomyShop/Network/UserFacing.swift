/// An error with words for the person who uses the app.
protocol UserFacing: Error {
    /// What happened and what to do now, without technical detail.
    var userMessage: String { get }
}

extension Error {
    /// The error's own words, or that something went wrong.
    var messageForPerson: String {
        (self as? any UserFacing)?.userMessage ?? "Something went wrong. Please try again."
    }
}
