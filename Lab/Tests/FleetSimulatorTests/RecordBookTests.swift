import AstrolabeTelemetryModel
import Testing

@testable import FleetSimulator

@Suite struct `The book of a device's records` {
    private func book(_ priorities: [Priority]) -> RecordBook {
        var book = RecordBook()
        for (index, priority) in priorities.enumerated() {
            _ = book.number(.event, priority, at: UInt64(index + 1))
            book.keep(isAdmitted: true)
        }
        return book
    }

    private func record(_ number: UInt64) -> ReceivedRecord {
        ReceivedRecord(number: number, kind: .event, time: number)
    }

    @Test func `finds a record that a younger one of its priority has overtaken`() {
        var book = book([.normal, .high, .normal])
        _ = book.arrive(record(2), unacknowledged: nil)
        _ = book.arrive(record(3), unacknowledged: nil)
        #expect(book.orderViolations == 0)
        _ = book.arrive(record(1), unacknowledged: nil)
        #expect(book.orderViolations == 1)
    }

    @Test func `explains a second arrival by a missing acknowledgement of the first, and no third`() {
        var book = book([.normal])
        guard case .first = book.arrive(record(1), unacknowledged: .kill) else {
            Issue.record("expected the first arrival")
            return
        }
        #expect(book.acknowledged == 0)
        guard case .again(.kill) = book.arrive(record(1), unacknowledged: nil) else {
            Issue.record("expected an explained duplicate")
            return
        }
        #expect(book.acknowledged == 1)
        guard case .wrong = book.arrive(record(1), unacknowledged: nil) else {
            Issue.record("expected a fault")
            return
        }
    }

    @Test func `refuses what was never made, and what is not as it was made`() {
        var book = book([.normal])
        guard case .wrong = book.arrive(record(2), unacknowledged: nil) else {
            Issue.record("expected a fault")
            return
        }
        let other = ReceivedRecord(number: 1, kind: .span, time: 1)
        guard case .wrong = book.arrive(other, unacknowledged: nil) else {
            Issue.record("expected a fault")
            return
        }
    }
}

@Suite struct `The histogram of delays` {
    @Test func `gives quantiles to within 1.2 percent`() {
        var delays = DelayHistogram()
        for second in 1...1_000 { delays.add(Double(second)) }
        for (share, expected) in [(0.5, 500.0), (0.95, 950), (0.99, 990)] {
            let quantile = delays.quantile(share) ?? 0
            #expect(abs(quantile / expected - 1) < 0.012)
        }
    }

    @Test func `adds up whatever the order`() {
        var (left, right) = (DelayHistogram(), DelayHistogram())
        left.add(0.2)
        right.add(7_000)
        var (one, other) = (left, right)
        one += right
        other += left
        #expect(one == other)
        #expect(one.total == 2)
        #expect(DelayHistogram().quantile(0.5) == nil)
    }
}
