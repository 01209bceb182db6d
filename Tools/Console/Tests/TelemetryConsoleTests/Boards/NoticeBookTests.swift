import AstrolabeSeededRandomness
import Foundation
import Testing

@testable import TelemetryBoards
@testable import TelemetryConsole

@Suite struct `A book of notices` {
    @Test func `asks with pauses that grow to five minutes, for more than an hour`() {
        let pauses = (1..<NoticeBook.Limits().attempts).map { NoticeBook.wait(after: $0) }
        #expect(Array(pauses.prefix(4)) == [.seconds(1), .seconds(2), .seconds(4), .seconds(8)])
        #expect(pauses == pauses.sorted())
        #expect(pauses.last == .seconds(300))
        #expect(pauses.reduce(.zero, +) > .seconds(3_600))
    }

    @Test func `rests while a receiver does not respond, and then sends in order`() {
        var desk = Desk()
        desk.note("fired", "red", at: 0)
        desk.note("fired", "blue", at: 0)
        desk.note("recovered", "red", at: 0)
        #expect(desk.send(at: 0, .noResponse) == ["fired red"])
        #expect(desk.send(at: 1, .noResponse) == ["fired red"])
        #expect(desk.send(at: 2) == [], "2 s have not passed")
        #expect(desk.send(at: 3) == ["fired red", "fired blue", "recovered red"])
        #expect(desk.book.notices == [])
    }

    @Test func `sends others while a receiver refuses one, and what follows it later`() {
        var desk = Desk()
        desk.note("fired", "red", at: 0)
        desk.note("fired", "blue", at: 0)
        desk.note("recovered", "red", at: 0)
        #expect(desk.book.next(to: Desk.hook, at: 0)?.body == "fired red")
        desk.book.settle(1, .refused(retryAfter: nil), at: 0)
        #expect(desk.send(at: 0) == ["fired blue"])
        #expect(desk.send(at: 1) == ["fired red", "recovered red"])
    }

    @Test func `waits as long as a receiver asks for, and an hour at most`() {
        var desk = Desk()
        let other = Webhook.variable("OTHER")
        desk.note("fired", "red", at: 0)
        desk.note("fired", "blue", at: 0)
        desk.note("fired", "green", at: 0, to: other)
        #expect(desk.send(at: 0, .refused(retryAfter: .seconds(60))) == ["fired red"])
        #expect(desk.send(at: 59) == [])
        #expect(desk.send(at: 59, to: other) == ["fired green"])
        #expect(desk.send(at: 60, .refused(retryAfter: .seconds(86_400))) == ["fired blue"])
        #expect(desk.send(at: 3_659) == [])
        #expect(desk.send(at: 3_660) == ["fired red", "fired blue"])
    }

    @Test func `does not wait for a time that a clock had before it was set back`() {
        var desk = Desk()
        desk.note("fired", "red", at: 100_000)
        #expect(desk.send(at: 100_000, .refused(retryAfter: nil)) == ["fired red"])
        #expect(desk.send(at: 0) == ["fired red"])
    }

    @Test func `sends what was on its way when the process ended, and knows its incidents`() throws {
        var desk = Desk()
        desk.note("fired", "red", at: 0)
        #expect(desk.book.next(to: Desk.hook, at: 0) != nil)
        #expect(desk.book.next(to: Desk.hook, at: 0) == nil)
        desk.book = try JSONDecoder().decode(NoticeBook.self, from: try JSONEncoder().encode(desk.book))
        desk.note("recovered", "red", at: 5)
        #expect(desk.send(at: 5) == ["fired red", "recovered red"])
        #expect(desk.book.incidents == [])
    }

    @Test func `drops a beginning with its end after a day, and none whose incident is open`() {
        var desk = Desk()
        desk.note("fired", "red", at: 0)
        desk.note("fired", "blue", at: 0)
        desk.note("recovered", "red", at: 60)
        for attempt in 1...24 {
            #expect(desk.send(at: Int64(attempt) * 4_000, .refused(retryAfter: nil)).count == 2)
        }
        #expect(desk.book.notices.map(\.body) == ["fired blue"])
        #expect(desk.book.dropped == 1)
        let delivery = desk.book.delivery(of: AlertName(board: "a", alert: "B"))
        #expect(delivery == NoticeBook.Delivery(result: .failed, waiting: 1, dropped: 1))
    }

    @Test func `is kept within its bounds by dropping the oldest pairs, then open beginnings, then ends`() {
        var desk = Desk()
        desk.note("fired", "told", at: 0)
        #expect(desk.send(at: 0) == ["fired told"])
        desk.book.limits.notices = 4
        desk.note("recovered", "told", at: 0)
        for word in ["fired", "recovered"] { desk.note(word, "red", at: 1) }
        desk.note("fired", "open", at: 1)
        for group in ["1", "2"] { desk.note("fired", group, at: 2) }
        #expect(desk.book.notices.map(\.body) == ["recovered told", "fired open", "fired 1", "fired 2"])
        desk.note("fired", "3", at: 3)
        #expect(desk.book.notices.map(\.body) == ["recovered told", "fired 1", "fired 2", "fired 3"])
        desk.note("recovered", "open", at: 4)
        #expect(desk.book.notices.count == 4, "the end of what was dropped is dropped")
        #expect(desk.book.dropped == 2)
        desk.book.limits.notices = 1_000
        desk.book.limits.bytes = 21
        desk.note("fired", "4", at: 5)
        #expect(desk.book.notices.map(\.body) == ["recovered told", "fired 4"])
    }

    @Test func `shows a drop until a notice that was made later is delivered`() {
        var desk = Desk()
        let alert = AlertName(board: "a", alert: "B")
        desk.book.limits.notices = 2
        for group in ["red", "blue", "green"] { desk.note("fired", group, at: 0) }
        #expect(desk.book.delivery(of: alert) == NoticeBook.Delivery(result: .failed, waiting: 2, dropped: 1))
        desk.note("recovered", "green", at: 0)
        desk.book.limits.notices = 1_000
        #expect(desk.send(at: 0) == ["fired red", "fired blue"])
        #expect(desk.book.delivery(of: alert) == NoticeBook.Delivery(result: .failed, waiting: 0, dropped: 1))
        desk.note("fired", "red", of: "C", at: 1)
        #expect(desk.send(at: 1) == ["fired red"])
        #expect(desk.book.delivery(of: alert)?.result == .failed)
        desk.note("recovered", "blue", at: 2)
        #expect(desk.send(at: 2) == ["recovered blue"])
        #expect(desk.book.delivery(of: alert) == nil)
        #expect(desk.book.dropped == 1)
    }

    /// A subject's notices are in order, and no end is without the beginning before it, whatever happens.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `delivers each end right after its beginning`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var desk = Desk()
        desk.book.limits = NoticeBook.Limits(notices: 12, bytes: 1 << 20, age: .seconds(600), attempts: 3)
        var delivered: [NoticeBook.Notice] = []
        var sending: [NoticeBook.Notice] = []
        let outcomes: [NoticeBook.Outcome] = [
            .delivered, .delivered, .noResponse, .refused(retryAfter: nil), .refused(retryAfter: .seconds(30)),
            .interrupted,
        ]
        for step in 0..<2_000 as Range<Int64> {
            let time = step * 20
            let group = String(Int.random(in: 0..<6, using: &random))
            desk.note(Bool.random(using: &random) ? "fired" : "recovered", group, at: time)
            if let notice = desk.book.next(to: Desk.hook, at: time * Desk.second) { sending.append(notice) }
            if let notice = sending.randomElement(using: &random),
                let outcome = outcomes.randomElement(using: &random)
            {
                sending.removeAll { $0.id == notice.id }
                let isKept = desk.book.notices.contains { $0.id == notice.id }
                #expect(isKept, "what is on its way is not dropped")
                desk.book.settle(notice.id, outcome, at: time * Desk.second)
                if outcome == .delivered { delivered.append(notice) }
            }
            #expect(desk.book.notices.count <= 12 + sending.count)
        }
        #expect(delivered.count > 100)
        #expect(desk.book.dropped > 0)
        for notices in Dictionary(grouping: delivered, by: \.subject).values {
            #expect(notices.map(\.id) == notices.map(\.id).sorted())
            for (index, notice) in notices.enumerated() where notice.isEnd {
                let before = try #require(index > 0 ? notices[index - 1] : nil)
                #expect(!before.isEnd)
                #expect(before.incident == notice.incident)
            }
        }
    }
}

/// A book whose notices are made and sent at seconds.
private struct Desk {
    static let second: Int64 = 1_000_000_000
    static let hook = Webhook.variable("HOOK")

    var book = NoticeBook()

    /// Begins or ends the incident of a group.
    mutating func note(
        _ word: String, _ group: String, of alert: String = "B", at seconds: Int64,
        to webhook: Webhook = Desk.hook,
    ) {
        let subject = NoticeBook.Subject(alert: AlertName(board: "a", alert: alert), group: group, isUnknown: false)
        let (body, time) = ("\(word) \(group)", seconds * Self.second)
        if word == "fired" {
            book.begin(subject, at: webhook, id: "\(alert) \(group) \(seconds)", body: body, time: time)
        } else if let incident = book.incident(of: subject) {
            book.end(incident, body: body, time: time)
        }
    }

    /// Sends what is due. Returns the bodies in order.
    mutating func send(
        at seconds: Int64, to webhook: Webhook = Desk.hook, _ outcome: NoticeBook.Outcome = .delivered,
    ) -> [String] {
        var bodies: [String] = []
        while let notice = book.next(to: webhook, at: seconds * Self.second) {
            bodies.append(notice.body)
            book.settle(notice.id, outcome, at: seconds * Self.second)
        }
        return bodies
    }
}
