import AstrolabeJournal
import AstrolabePlatform
import AstrolabePolicy
import AstrolabeTestSupport
import Foundation
import Testing

@testable import AstrolabeDelivery

@Suite(.timeLimit(.minutes(5))) struct `A backlog` {
    private let names = (0..<2_000).map { "span-\($0)" }

    @Test func `has its next request prepared while one is on its way, and arrives in order`() async throws {
        let run = try TestDevice().run()
        let journal = run.sink.journal
        let requests = Locked(0)
        let network = ObservedNetwork { _ in
            let isFirst = requests.withLock { requests in
                requests += 1
                return requests == 1
            }
            guard isFirst else { return TestNetwork.taken }
            do {
                // The next lease is taken on another thread.
                try await eventually("the next request is prepared") { journal.statistics().leasedRecords == 1_024 }
            } catch {
                Issue.record(error)
            }
            return TestNetwork.taken
        }
        let delivery = try run.delivery(by: network)
        run.record(Array(names.prefix(1_024)))
        await delivery.flush()
        #expect(network.names == Array(names.prefix(1_024)))
        #expect(await delivery.currentReport.ledger.summary == [1_024, 1_024, 0, 0, 0])
    }

    @Test func `stays on the device if a request fails while the next is prepared`() async throws {
        let run = try TestDevice().run()
        let network = TestNetwork { $0 == 2 ? .response(status: 503, retryAfter: nil, body: []) : TestNetwork.taken }
        let delivery = try run.delivery(by: network)
        run.record(names)
        await delivery.flush()
        #expect(network.batches == [512])
        #expect(run.sink.journal.statistics().leasedRecords == 0)
        #expect(await delivery.currentReport.ledger.summary == [2_000, 512, 0, 1_488, 0])
        await delivery.flush()
        #expect(network.names == names)
        #expect(network.batches == [512, 16, 512, 512, 448])
    }

    @Test func `is divided from its start if the server refuses a request while the next is prepared`() async throws {
        let run = try TestDevice().run()
        let network = TestNetwork { count in
            .response(status: count == 1 ? 413 : 200, retryAfter: nil, body: [])
        }
        let delivery = try run.delivery(by: network)
        run.record(names)
        await delivery.flush()
        #expect(network.names == names)
        #expect(await delivery.currentReport.ledger.summary == [2_000, 2_000, 0, 0, 0])
    }

    @Test func `is held back if the plan changes while a request is on its way`() async throws {
        let run = try TestDevice().run()
        let reference = Locked<DeliveryService?>(nil)
        let network = ObservedNetwork { _ in
            let plan = DeliveryPlan(flushInterval: 5, upload: UploadPlan(.queued, canSend: true))
            reference.withLock { $0 }?.setPlan(plan)
            return TestNetwork.taken
        }
        let delivery = try run.delivery(by: network)
        reference.withLock { $0 = delivery }
        run.record(names)
        await delivery.flush()
        #expect(network.names.count == 512)
        #expect(run.sink.journal.statistics().leasedRecords == 0)
        #expect(await delivery.currentReport.ledger.summary == [2_000, 512, 0, 1_488, 0])
    }

    @Test func `is released if the time for delivery runs out`() async throws {
        let run = try TestDevice().run()
        let reference = Locked<DeliveryService?>(nil)
        let network = ObservedNetwork { _ in
            await reference.withLock { $0 }?.expire()
            return .unreachable("cancelled")
        }
        let delivery = try run.delivery(by: network)
        reference.withLock { $0 = delivery }
        run.record(names)
        await delivery.flush()
        #expect(network.names.isEmpty)
        #expect(run.sink.journal.statistics().leasedRecords == 0)
        #expect(await delivery.currentReport.ledger.delivered == 0)
    }
}

/// A network that runs code while each request is on its way.
private struct ObservedNetwork: OTLPTransport {
    private let received = Locked<[String]>([])
    private let answer: @Sendable (OTLPRequest) async -> SendResult

    init(_ answer: @escaping @Sendable (OTLPRequest) async -> SendResult) {
        self.answer = answer
    }

    var names: [String] { received.withLock { $0 } }

    func send(_ request: OTLPRequest) async -> SendResult {
        let result = await answer(request)
        if case .response(200, _, _) = result {
            let names = (try? request.spanNames()) ?? []
            received.withLock { $0 += names }
        }
        return result
    }
}
