/// An error of an action on the phone.
package enum PhoneError: Error, Hashable, Sendable {
    case badSetting(String)
    /// The action is not possible in the current phase of the app.
    case wrongPhase(String)
    case cannotLaunch(String)
    case noSuchPicture(String)
    /// The event is too long, or the queue of the link to the app is full.
    case notSent(String)
}

extension PhoneError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .badSetting(let text), .wrongPhase(let text), .cannotLaunch(let text), .notSent(let text): text
        case .noSuchPicture(let name): "the app has no image named \(name)"
        }
    }
}
