/// The settings of a simulation. The same settings give the same results; `jobs` and `folder` do not affect them.
public struct FleetSettings: Sendable {
    /// The number of devices, from 1 to 1,000,000.
    public var devices = 1_000
    /// Hours of virtual time, starting at 6 in the morning. From 1 to 336.
    public var hours = 24
    public var seed: UInt64 = 7
    /// The number of devices that are simulated concurrently. Default: 2.
    public var jobs = 2
    /// The folder for the devices' files. Default `nil`: a folder in memory if the system has one, otherwise the folder
    /// for temporary files.
    public var folder: String?

    public init() {}

    /// The width of a bin, in seconds.
    var duration: Double { Double(hours) * 3_600 }
}
