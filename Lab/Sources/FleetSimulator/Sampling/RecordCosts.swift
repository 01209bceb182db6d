import AstrolabeJournal

/// The bytes of records on the device and in requests.
struct RecordCosts: Sendable {
    /// A kind of record with a size of its own.
    enum Part: Int, Sendable, CaseIterable {
        case span
        /// A span with the marks of the flight recorder.
        case promotedSpan
        case event
        case metric

        var isSpan: Bool { self == .span || self == .promotedSpan }
    }

    /// Records of one request: the SDK's default.
    static let batch = 512

    /// Bytes of a record before compression, by part.
    private let payloads: [Int]
    /// Bytes of the body of a request with 0 to `batch` records, by part.
    private let bodies: [[Int]]

    /// - Parameters:
    ///   - payload: Bytes of a record before compression.
    ///   - body: Bytes of a request with a number of records, from 1 to `batch`.
    init(payload: (Part) -> Int, body: (Part, Int) -> Int) {
        payloads = Part.allCases.map(payload)
        bodies = Part.allCases.map { part in [0] + (1...Self.batch).map { body(part, $0) } }
    }

    func payload(_ part: Part) -> Int { payloads[part.rawValue] }

    /// Bytes of a record in the journal or in the ring, with its header.
    func frame(_ part: Part) -> Int { RecordFrame.size(length: payload(part)) }

    /// Bytes of the requests that carry these records.
    func sent(_ part: Part, _ count: Int) -> Int {
        let (full, rest) = count.quotientAndRemainder(dividingBy: Self.batch)
        return full * bodies[part.rawValue][Self.batch] + bodies[part.rawValue][rest]
    }
}
