/// Why the phone does not do what it was asked to.
package enum PhoneError: Error, Hashable, Sendable {
    case badSetting(String)
    /// The action needs a running app, or one that does not run.
    case wrongPhase(String)
    case cannotLaunch(String)
    case noSuchPicture(String)
    /// The link to the app has no room for it.
    case notTaken(String)
}

extension PhoneError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .badSetting(let text), .wrongPhase(let text), .cannotLaunch(let text), .notTaken(let text): text
        case .noSuchPicture(let name): "the app has no picture \(name)"
        }
    }
}
