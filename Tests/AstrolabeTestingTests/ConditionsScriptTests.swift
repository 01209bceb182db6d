import AstrolabeTesting
import Foundation
import Testing

struct ConditionsScriptTests {
    @Test func `a script in JSON has seconds and the changes of each step`() throws {
        let text = """
            { "initial": { "network": { "type": "wifi" }, "lifecycle": "active" },
              "steps": [ { "at": 65.5, "network": { "type": "cellular", "subtype": "lte" } },
                         { "at": 20, "note": "enters the lift", "network": { "type": "offline" } } ] }
            """
        let script = try JSONDecoder().decode(ConditionsScript.self, from: Data(text.utf8))
        #expect(script.steps.map(\.time) == [.seconds(20), .milliseconds(65_500)])
        #expect(script.steps.map(\.note) == ["enters the lift", ""])
        #expect(script.conditions(at: .seconds(19)).network == .wifi)
        #expect(script.conditions(at: .seconds(20)).network == .offline)
        #expect(script.conditions(at: .seconds(66)).network == NetworkPath(.cellular, radio: .lte))
        #expect(try JSONDecoder().decode(ConditionsScript.self, from: JSONEncoder().encode(script)) == script)
    }

    @Test(arguments: ["-1", "1e12"])
    func `an impossible time is rejected`(time: String) {
        let text = #"{ "steps": [ { "at": \#(time), "thermal": "fair" } ] }"#
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(ConditionsScript.self, from: Data(text.utf8))
        }
    }

    @Test func `steps of equal times keep their order`() {
        let script = ConditionsScript(steps: [
            ConditionsScript.Step(at: .seconds(2), "", ConditionsUpdate(thermal: .fair)),
            ConditionsScript.Step(at: .seconds(1), "", ConditionsUpdate(thermal: .critical)),
            ConditionsScript.Step(at: .seconds(1), "", ConditionsUpdate(thermal: .serious)),
        ])
        #expect(script.conditions(at: .seconds(1)).thermal == .serious)
        #expect(script.conditions(at: .seconds(2)).thermal == .fair)
    }
}
