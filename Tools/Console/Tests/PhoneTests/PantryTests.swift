import AstrolabeCommands
import AstrolabeTestSupport
import DeviceSimulator
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10)))
struct `The app with five tabs` {
    @Test func `is played by words, tabs, swipes, menus, dialogs, dates and links`() async throws {
        let file = Repository.file("Tools/Simulator/Scenarios/pantry.yaml")
        var scenario = try ScenarioReader.read(try String(contentsOf: file, encoding: .utf8))
        scenario.allowMoreTime()
        try await PhoneUnderTest.run(try .pantry()) { [scenario] subject in
            let evidence = StoreEvidence(subject.store)
            try await ScenarioRunner(phone: subject.phone, evidence: evidence).play(scenario)
        }
    }
}

extension StandInApp {
    static func pantry() throws -> StandInApp {
        .shell("exec '\(try BuiltProducts.executable(named: "pantry-app").path)'")
    }
}
