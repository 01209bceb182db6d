package import AstrolabePolicy

/// The settings of a simulation. The same settings give the same results; `jobs` and `folder` do not affect them.
public struct FleetSettings: Sendable {
    /// The number of devices, from 1 to 1,000,000.
    public var devices = 1_000
    /// Hours of virtual time, starting at 6 in the morning. From 1 to 336.
    public var hours = 24
    public var seed: UInt64 = 7
    /// The number of devices that are simulated concurrently. Default: 2.
    public var jobs = 2
    /// The wall clock when the simulation begins, in nanoseconds since 1970. Default: 6:00 on 1 September 2026, UTC.
    public var start = FleetSettings.defaultStart
    /// A server that gets each request that arrives. Default `nil`: the requests do not leave the process.
    public var receiver: FleetReceiver?
    /// The folder for the devices' files. Default `nil`: a folder in memory if the system has one, otherwise the folder
    /// for temporary files.
    public var folder: String?
    /// The document of remote policy that all devices follow. Default `nil`: none.
    ///
    /// Its rates, flush intervals and admission count, and the kill switch of spans. Triggers of the flight recorder,
    /// other kill switches and requests are not simulated.
    package var remote: RemotePolicy?

    public init() {}

    static let defaultStart: UInt64 = 1_788_242_400_000_000_000

    /// The simulated time in seconds.
    var duration: Double { Double(hours) * 3_600 }
}
