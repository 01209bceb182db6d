import TelemetryQuery

/// The reason not to answer a query now. The same query may be answered later.
enum QueryRefusal: Error, Hashable {
    /// The viewer has as many queries that run or wait as one may have.
    case tooMany(limit: Int)
    /// All queries together need more memory than there is for them, in bytes.
    case tooLittleMemory(limit: Int)
    /// The columns are made from the records of the store, which takes longer than a query waits.
    ///
    /// The share is what is done, from 0 to 1.
    case preparing(Dataset, share: Double)

    /// The status of HTTP.
    var status: Int {
        switch self {
        case .tooMany: 429
        case .tooLittleMemory, .preparing: 503
        }
    }

    /// The seconds after which to ask again.
    var retryAfter: Int {
        switch self {
        case .tooMany: 1
        case .tooLittleMemory, .preparing: 5
        }
    }

    var message: String {
        switch self {
        case .tooMany(let limit):
            "\(limit) of your queries run or wait already; ask again when one has ended, or close a page"
        case .tooLittleMemory(let limit):
            "the queries that run need more than \(limit >> 20) MB of memory together; ask again in a few seconds, or "
                + "ask for a shorter time or fewer groups"
        case .preparing(let dataset, let share):
            "the columns of \(dataset.rawValue) are being made from the stored records; \(Int(share * 100)) % are "
                + "done, ask again in a few seconds"
        }
    }
}
