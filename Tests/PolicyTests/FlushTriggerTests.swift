import AstrolabeDeviceConditions
import Testing

@testable import AstrolabePolicy

struct FlushTriggerTests {
    private func triggers(_ from: ConditionsUpdate, _ to: ConditionsUpdate) -> [FlushTrigger] {
        CollectionPolicy().flushTriggers(from: .easy.with(from), to: .easy.with(to), on: .phone())
    }

    @Test func `a returning network flushes`() {
        #expect(triggers(ConditionsUpdate(network: .offline), ConditionsUpdate(network: .wifi)) == [.networkReturned])
        #expect(triggers(ConditionsUpdate(network: .wifi), ConditionsUpdate(network: .offline)).isEmpty)
    }

    @Test func `Wi-Fi after constrained cellular releases what waited for it`() {
        let slow = NetworkPath(.cellular, isConstrained: true)
        #expect(triggers(ConditionsUpdate(network: slow), ConditionsUpdate(network: .wifi)) == [.uploadsAllowed])
    }

    @Test func `a charger releases what a critical battery held back`() {
        let empty = Power(level: 0.04, source: .unplugged)
        let plugged = Power(level: 0.04, source: .charging)
        #expect(triggers(ConditionsUpdate(power: empty), ConditionsUpdate(power: plugged)) == [.uploadsAllowed])
    }

    @Test func `entering the foreground, leaving it and terminating flush`() {
        let (active, inactive) = (ConditionsUpdate(lifecycle: .active), ConditionsUpdate(lifecycle: .inactive))
        let background = ConditionsUpdate(lifecycle: .background)
        #expect(triggers(inactive, active) == [.becameActive])
        #expect(triggers(active, inactive).isEmpty)
        #expect(triggers(inactive, background) == [.enteredBackground])
        #expect(triggers(background, ConditionsUpdate(lifecycle: .suspended)).isEmpty)
        #expect(triggers(active, ConditionsUpdate(lifecycle: .terminated)) == [.terminating])
    }

    @Test func `resuming from suspension sends pending records but is not entering the background`() {
        #expect(
            triggers(ConditionsUpdate(lifecycle: .suspended), ConditionsUpdate(lifecycle: .background))
                == [.uploadsAllowed])
    }

    @Test func `critical memory flushes once, a warning does not`() {
        let (normal, warning) = (ConditionsUpdate(memory: .normal), ConditionsUpdate(memory: .warning))
        let critical = ConditionsUpdate(memory: .critical)
        #expect(triggers(normal, warning).isEmpty)
        #expect(triggers(warning, critical) == [.memoryCritical])
        #expect(triggers(critical, critical).isEmpty)
        #expect(triggers(critical, normal).isEmpty)
    }

    @Test func `changes irrelevant to sending flush nothing`() {
        #expect(triggers(ConditionsUpdate(thermal: .fair), ConditionsUpdate(thermal: .nominal)).isEmpty)
    }
}
