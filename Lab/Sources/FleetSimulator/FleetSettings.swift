/// What is simulated. The same settings give the same results, but for `jobs` and `folder`, which change nothing.
public struct FleetSettings: Sendable {
    /// Devices, each with its own timeline. 1 to 1,000,000.
    public var devices = 1_000
    /// Hours of virtual time, from 6 in the morning. 1 to 336.
    public var hours = 24
    public var seed: UInt64 = 7
    /// Devices that are simulated at the same time. Default 2.
    public var jobs = 2
    /// Where the devices keep their files while they live; `nil` for memory where the system offers a folder in it, and
    /// the folder for temporary files elsewhere.
    public var folder: String?

    public init() {}

    /// Seconds.
    var duration: Double { Double(hours) * 3_600 }
}
