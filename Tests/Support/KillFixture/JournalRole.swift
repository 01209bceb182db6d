import AstrolabeJournal
import AstrolabePlatform
import AstrolabeTestSupport

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Appends from several threads until it is killed. If it consumes, another thread leases and acknowledges records.
func runJournal(_ directory: String, threads: Int, consumes: Bool) {
    var configuration = JournalConfiguration(directory: directory)
    configuration.segmentSize = 65_536
    configuration.maximumBytes = 4_194_304
    configuration.segmentsAhead = 16
    guard let journal = try? RecordJournal(configuration, header: Array("header".utf8)) else { exit(4) }
    guard journal.register(Array("definition".utf8)) == 1 else { exit(5) }
    journal.maintain()
    for thread in 0..<threads {
        spawn { appendForever(journal, thread: UInt64(thread)) }
    }
    while true {
        journal.maintain()
        if consumes, let lease = journal.lease(maximumRecords: 16, maximumBytes: 1_048_576) {
            for record in lease.records { tell(Message(.acknowledging, record.sequence)) }
            journal.acknowledge(lease)
            for record in lease.records { tell(Message(.acknowledged, record.sequence)) }
        } else {
            sched_yield()
        }
    }
}

/// Appends to a ring from several threads until it is killed.
func runRing(_ directory: String, threads: Int) {
    var configuration = JournalConfiguration(directory: directory)
    configuration.segmentSize = 16_384
    configuration.maximumBytes = 131_072
    configuration.segmentsAhead = 2
    configuration.preparesOnDemand = true
    configuration.overwrittenOutcome = JournalOutcome(caller: 3)
    guard let ring = try? RecordJournal(configuration, header: Array("header".utf8)) else { exit(4) }
    for thread in 0..<threads {
        spawn { appendForever(ring, thread: UInt64(thread)) }
    }
    while true {
        if ring.needsRoom { ring.makeRoom() }
        sched_yield()
    }
}

private func appendForever(_ journal: RecordJournal, thread: UInt64) {
    var number = thread << 32
    while true {
        let bytes = payload(number)
        let result = bytes.withUnsafeBytes {
            journal.append($0, kind: UInt8(number % 3), priority: UInt8(number % 4), tag: 1, time: number)
        }
        if case .appended(let sequence) = result {
            tell(Message(.appended, number, sequence))
            number += 1
        } else {
            sched_yield()
        }
    }
}

private func spawn(_ body: @escaping @Sendable () -> Void) {
    final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
    let context = Unmanaged.passRetained(Body(body)).toOpaque()
    #if canImport(Darwin)
    var thread: pthread_t?
    pthread_create(
        &thread, nil,
        {
            Unmanaged<Body>.fromOpaque($0).takeRetainedValue().run()
            return nil
        }, context,
    )
    #else
    var thread = pthread_t()
    let start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
        if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
        return nil
    }
    pthread_create(&thread, nil, start, context)
    #endif
}
