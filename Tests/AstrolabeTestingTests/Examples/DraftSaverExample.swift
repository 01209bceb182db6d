import AstrolabeTesting
import Testing

/// Saves a draft every ten seconds while the user writes.
actor DraftSaver {
    private(set) var saveCount = 0

    func run(clock: some Clock<Duration>) async {
        while (try? await clock.sleep(for: .seconds(10))) != nil {
            saveCount += 1
        }
    }
}

@Test func `a draft is saved six times in a minute`() async throws {
    let clock = TestClock()
    let saver = DraftSaver()
    let running = Task { await saver.run(clock: clock) }

    try await clock.advance(by: .seconds(60), sleepers: 1)

    #expect(await saver.saveCount == 6)
    running.cancel()
}
