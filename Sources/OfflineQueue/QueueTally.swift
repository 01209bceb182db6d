/// The changes of one transaction to the sums, collected row by row and written once at its end.
struct QueueTally {
    struct Group: Hashable {
        let kind: UInt8
        let priority: UInt8
    }

    struct Sum: Equatable {
        var records = 0
        var bytes = 0
    }

    private(set) var groups: [Group: Sum] = [:]
    private(set) var headers: [Int64: Int] = [:]
    private(set) var counters: [String: Int] = [:]

    mutating func enter(_ sum: Sum, of group: Group, header: Int64) {
        groups[group, default: Sum()].records += sum.records
        groups[group, default: Sum()].bytes += sum.bytes
        headers[header, default: 0] += sum.records
    }

    mutating func leave(_ sum: Sum, of group: Group, header: Int64, as counter: String) {
        enter(Sum(records: -sum.records, bytes: -sum.bytes), of: group, header: header)
        count(counter, sum.records)
    }

    mutating func count(_ counter: String, _ difference: Int) {
        if difference != 0 { counters[counter, default: 0] += difference }
    }

    var dropped: [QueueDrop: Int] {
        QueueDrop.allCases.reduce(into: [:]) { dropped, reason in dropped[reason] = counters[reason.rawValue] }
    }
}
