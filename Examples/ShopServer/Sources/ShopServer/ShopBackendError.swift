/// An error that prevents the backend from starting.
package enum ShopBackendError: Error, Hashable, Sendable {
    /// The database cannot be opened or brought up to date.
    case database(path: String, reason: String)

    /// A picture of the catalogue is not among the module's resources: the build is incomplete.
    case pictureMissing(String)
}

extension ShopBackendError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .database(let path, let reason):
            "the shop's database (\(path)) cannot be opened: \(reason)"
        case .pictureMissing(let name):
            "the picture \(name) is missing from the shop's resources; build the package again"
        }
    }
}
