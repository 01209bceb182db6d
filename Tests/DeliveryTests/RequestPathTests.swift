import AstrolabePolicy
import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeDelivery

@Suite(.timeLimit(.minutes(5))) struct `A request` {
    @Test func `says whether it may go on over cellular, which critical records always may`() async throws {
        let run = try TestDevice().run()
        let network = TestNetwork()
        var plan = DeliveryPlan(flushInterval: 30, upload: UploadPlan(.immediate, canSend: true))
        plan.upload.allowsExpensivePath = false
        let delivery = try run.delivery(by: network, adjust: { $0.plan = plan })
        run.record(["span"])
        await delivery.flush()
        plan.upload.strategy = .wifiOnly
        await delivery.apply(plan)
        run.record(["crash"], priority: .critical)
        await delivery.flush()
        plan.upload = UploadPlan(.batched, canSend: true)
        plan.upload.allowsConstrainedPath = false
        await delivery.apply(plan)
        run.record(["span"])
        await delivery.flush()
        #expect(network.names == ["span", "crash", "span"])
        #expect(network.paths == ["c", "ec", "e"])
    }
}
