import AstrolabePlatform
public import AstrolabeTelemetryModel
import Dispatch

/// Holds a `RecordSink` of your own against what the SDK relies on.
///
///     @Test func `the file sink is a good one`() throws {
///         let violations = try SinkConformance.check { try FileSink() } reading: { try $0.records() }
///         #expect(violations == [])
///     }
///
/// It works with any test framework, for it gives what it finds as values. It cannot see how fast a sink is, nor
/// whether it takes a lock.
public enum SinkConformance {
    /// A record as the sink kept it.
    public struct StoredRecord: Hashable, Sendable {
        public var header: RecordHeader
        public var bytes: [UInt8]

        public init(header: RecordHeader, bytes: [UInt8]) {
            self.header = header
            self.bytes = bytes
        }
    }

    /// The rules that the sink breaks; empty for a good one.
    ///
    /// - Parameters:
    ///   - makeSink: Makes a sink that holds nothing; called once for each rule.
    ///   - stored: Gives all that a sink holds; records of one kind, one priority and one thread in the order in which
    ///     they were appended.
    public static func check<Sink: RecordSink>(
        _ makeSink: () throws -> Sink, reading stored: (Sink) throws -> [StoredRecord],
    ) rethrows -> [ConformanceViolation] {
        var violations = checkScopes(try makeSink())
        for rule in [keepsHeaders, copiesBytes, keepsLongRecordsWholeOrNotAtAll, keepsOrderOfEachThread] {
            let sink = try makeSink()
            let judgement = rule(sink)
            violations += judgement(try stored(sink))
        }
        return violations
    }

    /// Judges the records that a sink holds after a rule's appends.
    typealias Judgement = ([StoredRecord]) -> [ConformanceViolation]

    private static func checkScopes(_ sink: some RecordSink) -> [ConformanceViolation] {
        let scopes = (0..<16).map { InstrumentationScope(name: "scope \($0 / 2)", version: "\($0 % 2)") }
        let numbers = Locked<[[ScopeNumber]]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            let own = scopes.map { sink.register($0) }
            numbers.withLock { $0.append(own) }
        }
        var violations: [ConformanceViolation] = []
        let all = numbers.withLock { $0 }
        if Set(all).count > 1 {
            violations.append(
                ConformanceViolation(
                    rule: "the same scope gives the same number, on whatever thread",
                    found: "\(Set(all).count) answers",
                ))
        }
        if let first = all.first, Set(first).count < scopes.count {
            violations.append(
                ConformanceViolation(
                    rule: "scopes of another name or version have another number",
                    found: "\(Set(first).count) numbers for \(scopes.count) scopes",
                ))
        }
        return violations
    }
}
