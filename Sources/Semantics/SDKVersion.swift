/// The version of the SDK, by semantic versioning.
package enum SDKVersion {
    package static let current = "0.1.0"
}
