/// The sessions that an app on the phone samples in, whatever its own configuration says.
package enum SessionSampling: String, Codable, Hashable, Sendable, CaseIterable {
    /// As the app's configuration says.
    case automatic
    /// As the policy decides, also in a debug build.
    case policy
    case everything
    /// None: a session is sent only if the flight recorder promotes it.
    case nothing

    /// The environment variable that tells the app.
    package static let variable = "ASTROLABE_DEVICE_SAMPLING"
}
