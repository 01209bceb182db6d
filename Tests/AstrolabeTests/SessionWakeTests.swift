import Astrolabe
import AstrolabeTesting
import Testing

/// An app that is suspended in the background, and woken up there after its session is over.
@Suite(.timeLimit(.minutes(5))) struct `A wake-up in the background` {
    @Test(arguments: [true, false])
    func `records nothing with the id of a session that is over`(beginsWithSpan: Bool) async {
        let phone = PhoneInTime()
        phone.launch()
        let session = phone.telemetry.session.current?.id
        phone.device.enterBackground()
        phone.pass(600)
        phone.use("soon")
        phone.pass(3_600)
        if beginsWithSpan { phone.telemetry.tracer("week").withSpan("late") { _ in } }
        phone.use("late")
        phone.device.enterForeground()
        phone.use("back")
        let next = phone.telemetry.session.current?.id
        await phone.kill()
        #expect(Set(phone.records(named: "soon").map(\.session)) == [session])
        let late = phone.records.filter { ["late", "span late"].contains($0.name) }
        #expect(late.count == (beginsWithSpan ? 3 : 2))
        #expect(late.allSatisfy { $0.session == nil })
        #expect(phone.records(named: "session.end").first?.time == 1_800)
        #expect(next != session && phone.records(named: "back").allSatisfy { $0.session == next })
    }
}
