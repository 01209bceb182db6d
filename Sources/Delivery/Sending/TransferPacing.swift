/// The size of a request, and the time that it may take.
///
/// Requests become smaller if the server refuses one, and smaller and slower if one times out. So a slow uplink always
/// makes progress.
struct TransferPacing: Equatable, Sendable {
    /// Maximum number of records in the next request.
    private(set) var records: Int
    /// Maximum bytes of its records, before compression.
    private(set) var bytes: Int
    private let maximumRecords: Int
    private var maximumBytes: Int
    /// The number of the next records that were in a request that the server refused. While there are any, requests
    /// do not grow, so that halving finds the record at fault.
    private var suspects = 0
    /// Bytes of bodies in a second, as the last request measured it; after a timeout an upper bound.
    private var throughput: Double?

    /// A smaller request is not noticeably faster: its time is latency.
    private static let minimumBytes = 4_096
    /// Seconds that a request may take on the slowest uplink.
    private static let longestTimeout = 60.0
    /// The most records of a request that finds out whether the server has recovered.
    private static let probeRecords = 16

    init(records: Int, bytes: Int) {
        self.records = max(records, 1)
        self.bytes = max(bytes, Self.minimumBytes)
        maximumRecords = self.records
        maximumBytes = self.bytes
    }

    /// Maximum number of records in a request that finds out whether the server has recovered.
    var probe: Int { min(records, Self.probeRecords) }

    /// Returns true if a request of the largest size carries these records, or could carry hardly more: there is a
    /// backlog, and the next request is as large.
    func isFull(_ leased: LeasedBatches) -> Bool {
        guard suspects == 0, records == maximumRecords, bytes == maximumBytes else { return false }
        let size = leased.size
        return size.records >= records || size.bytes >= bytes / 4 * 3
    }

    /// The timeout of a request: the configured one, or three times as long as its body takes at the throughput of the
    /// last request.
    func timeout(ofBody bytes: Int, configured: Double) -> Double {
        guard let throughput, throughput > 0 else { return configured }
        return max(configured, min(3 * Double(bytes) / throughput, Self.longestTimeout))
    }

    /// A request was accepted.
    mutating func succeeded(records count: Int, body: Int, in seconds: Double, timeout: Double) {
        if seconds > 0, body >= Self.minimumBytes { throughput = Double(body) / seconds }
        suspects = max(0, suspects - count)
        guard suspects == 0, seconds < timeout / 2 else { return }
        records = min(records * 2, maximumRecords)
        bytes = min(bytes * 2, maximumBytes)
    }

    /// A request of several records was refused: one of them is at fault, or there were too many.
    mutating func refused(records count: Int, bytes: Int, isTooLarge: Bool) {
        suspects = count
        records = max(1, min(records, count) / 2)
        guard isTooLarge else { return }
        maximumBytes = max(Self.minimumBytes, min(maximumBytes, bytes) / 2)
        self.bytes = min(self.bytes, maximumBytes)
    }

    /// The record at fault was found.
    mutating func found() { suspects = max(0, suspects - 1) }

    /// No response arrived in `seconds`.
    mutating func timedOut(bytes: Int, body: Int, after seconds: Double) {
        self.bytes = max(Self.minimumBytes, min(self.bytes, bytes) / 2)
        guard seconds > 0, body >= Self.minimumBytes else { return }
        throughput = min(throughput ?? .infinity, Double(body) / seconds)
    }
}
