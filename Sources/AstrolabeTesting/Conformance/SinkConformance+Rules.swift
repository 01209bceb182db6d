import AstrolabeTelemetryModel
import Dispatch

extension SinkConformance {
    static func keepsHeaders(_ sink: any RecordSink) -> Judgement {
        let scope = sink.register(InstrumentationScope(name: "conformance"))
        var expected: Set<StoredRecord> = []
        for kind in RecordKind.allCases {
            for priority in Priority.allCases {
                let header = RecordHeader(
                    kind: kind, priority: priority, scope: scope, timeUnixNano: 1_790_000_000_123_456_789,
                )
                let record = StoredRecord(header: header, bytes: [kind.rawValue, priority.rawValue])
                record.append(to: sink)
                expected.insert(record)
            }
        }
        return { [expected] stored in
            let missing = expected.subtracting(stored).count
            guard missing > 0 || stored.count != expected.count else { return [] }
            return [
                ConformanceViolation(
                    rule: "a record comes back once, with its kind, priority, scope, time and bytes",
                    found: "\(missing) of \(expected.count) did not, and \(stored.count) came",
                )
            ]
        }
    }

    static func copiesBytes(_ sink: any RecordSink) -> Judgement {
        let header = RecordHeader(kind: .span, priority: .normal, scope: sink.register(scope), timeUnixNano: 1)
        let memory = Memory(filledWith: 1)
        sink.append(UnsafeRawBufferPointer(memory.bytes), header: header)
        memory.fill(with: 2)
        return { stored in
            // Lives until here, so that a sink that kept the pointer reads what is there now.
            withExtendedLifetime(memory) {
                if stored.map(\.bytes) == [Array(repeating: 1, count: Memory.size)] { return [] }
                return [
                    ConformanceViolation(
                        rule: "the bytes are copied before append returns",
                        found: "what the caller wrote there afterwards",
                    )
                ]
            }
        }
    }

    /// Bytes at a place that stays theirs.
    private final class Memory {
        static let size = 64
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 8)

        init(filledWith byte: UInt8) { fill(with: byte) }

        deinit { bytes.deallocate() }

        func fill(with byte: UInt8) { bytes.initializeMemory(as: UInt8.self, repeating: byte) }
    }

    static func keepsLongRecordsWholeOrNotAtAll(_ sink: any RecordSink) -> Judgement {
        let header = RecordHeader(kind: .event, priority: .normal, scope: sink.register(scope), timeUnixNano: 1)
        let records = [1, 4_095, 65_536, 1 << 20].map { length in
            StoredRecord(header: header, bytes: Array(repeating: UInt8(truncatingIfNeeded: length), count: length))
        }
        for record in records { record.append(to: sink) }
        return { stored in
            stored.filter { !records.contains($0) }.map { record in
                ConformanceViolation(
                    rule: "a record that is too long is left out whole", found: "one of \(record.bytes.count) bytes",
                )
            }
        }
    }

    private static let threads = 4
    private static let recordsOfThread = 250

    static func keepsOrderOfEachThread(_ sink: any RecordSink) -> Judgement {
        let number = sink.register(scope)
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            for index in 0..<recordsOfThread {
                let time = UInt64(thread * recordsOfThread + index)
                let header = RecordHeader(kind: .span, priority: .normal, scope: number, timeUnixNano: time)
                StoredRecord(header: header, bytes: [UInt8(thread), UInt8(index)]).append(to: sink)
            }
        }
        return { stored in
            let times = stored.map { Int(clamping: $0.header.timeUnixNano) }
            guard times.sorted() == Array(0..<threads * recordsOfThread) else {
                return [
                    ConformanceViolation(
                        rule: "records of \(threads) threads at once all come back, each once",
                        found:
                            "\(Set(times).count) different ones of \(threads * recordsOfThread), \(times.count) in all",
                    )
                ]
            }
            let byThread = Dictionary(grouping: times) { $0 / recordsOfThread }
            return byThread.values.allSatisfy { $0 == $0.sorted() }
                ? []
                : [ConformanceViolation(rule: "records of one thread keep their order", found: "another order")]
        }
    }

    private static let scope = InstrumentationScope(name: "conformance", version: "1")
}

extension SinkConformance.StoredRecord {
    fileprivate func append(to sink: any RecordSink) {
        bytes.withUnsafeBytes { sink.append($0, header: header) }
    }
}
