/// Bounds of the records that wait on this device, and of one request.
struct StorageBounds: Sendable {
    /// Bytes of the journal of one run.
    var journalBytes = 128 << 20
    /// Bytes that previous runs left, if they can be neither sent nor queued.
    var recoveredBytes = 8 << 20
    var batchRecords = 512
    /// Before compression.
    var batchBytes = 1 << 20
    /// Records that wait in the queue for the network, the server or the policy.
    var queueRecords = 10_000
    var queueBytes = 20 << 20

    static let app = StorageBounds()

    /// A server makes more records than a person's device, has a disk for them, and sends over a fast network.
    static let server: StorageBounds = {
        var bounds = StorageBounds()
        bounds.journalBytes = 512 << 20
        bounds.recoveredBytes = 128 << 20
        bounds.batchRecords = 2_048
        bounds.batchBytes = 4 << 20
        bounds.queueRecords = 100_000
        bounds.queueBytes = 256 << 20
        return bounds
    }()
}
