import AstrolabeTelemetryModel

/// The records that a collector has taken, with what it takes to judge each repetition.
///
/// A sender has at most one request on its way. So it may repeat a request only if it could not see the response.
/// Either none came, or it was the last that passed between a life of the sender and one of the collector.
/// What a killed run had sent may arrive after the first request of the next run, and is no repetition.
struct DeliveryLog {
    private struct Request {
        let sender: String
        /// The number of the sender's run.
        let run: Int
        let ids: [ExportBatch.RecordID]
        let isAnswered: Bool
    }

    private var requests: [Request] = []
    /// All ids with the number that came with them first.
    private(set) var numbers: [ExportBatch.RecordID: UInt64?] = [:]
    /// Records whose number was another one when they came again.
    private(set) var contradictions = 0
    private(set) var recordCount = 0
    /// The number of arrivals of each record that reports how an earlier run ended.
    private var endings: [ExportBatch.RecordID: Int] = [:]

    mutating func add(_ parcel: ExportBatch, run: Int, collector: Int, isAnswered: Bool) {
        let sender = "\(run), collector \(collector)"
        requests.append(Request(sender: sender, run: run, ids: parcel.records.map(\.id), isAnswered: isAnswered))
        recordCount += parcel.records.count
        for (id, number) in parcel.records {
            if let known = numbers[id], known != number { contradictions += 1 }
            numbers[id] = number
            if parcel.endings.contains(id) { endings[id, default: 0] += 1 }
        }
    }

    var requestCount: Int { requests.count }
    /// The numbers of the fixture's own records, each as often as different ids carry it.
    var delivered: [UInt64] { numbers.values.compactMap { $0 } }
    /// The names of the metrics.
    var metrics: Set<String> {
        Set(numbers.keys.compactMap { id in if case .metric(let metric) = id { metric.name } else { nil } })
    }
    /// Records that had come before.
    var repetitions: Int { recordCount - numbers.count }

    /// Endings that came more than once. A run that is killed after it has told of one, and before it has noted that,
    /// leaves it to the next to tell of again, under the same id.
    var repeatedEndings: Int { endings.values.filter { $0 > 1 }.count }

    /// Repetitions of records whose delivery the sender must have known of: where they came first, and again. Endings
    /// are not looked at: see ``repeatedEndings``.
    var needlessRepetitions: [String] {
        var lastOfSender: [String: Int] = [:]
        for (index, request) in requests.enumerated() { lastOfSender[request.sender] = index }
        var known: [ExportBatch.RecordID: Int] = [:]
        var found: [String] = []
        for (index, request) in requests.enumerated() {
            var own: Set<ExportBatch.RecordID> = []
            for id in request.ids {
                guard endings[id] == nil, let first = own.insert(id).inserted ? known[id] : index,
                    requests[first].run <= request.run
                else { continue }
                found.append(
                    """
                    \(id): in request \(first) of run \(requests[first].sender) with \(requests[first].ids.count), \
                    and in request \(index) of run \(request.sender) with \(request.ids.count)
                    """)
            }
            guard request.isAnswered, lastOfSender[request.sender] != index else { continue }
            for id in own { known[id] = index }
        }
        return found
    }
}
