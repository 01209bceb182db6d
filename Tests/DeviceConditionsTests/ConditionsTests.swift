import Foundation
import Testing

@testable import AstrolabeDeviceConditions

struct ConditionsTests {
    @Test func `conditions survive JSON`() throws {
        let conditions = Conditions(
            network: NetworkPath(
                .cellular, radio: .nrNonStandalone, isConstrained: true, carrierName: "Example Mobile",
            ),
            power: Power(level: 0.35, source: .unplugged, isLowPowerMode: true),
            thermal: .serious,
            memory: .warning,
            lifecycle: .inactive,
        )
        let copy = try JSONDecoder().decode(Conditions.self, from: JSONEncoder().encode(conditions))
        #expect(copy == conditions)
    }

    @Test func `missing parts are neutral`() throws {
        let text = #"{ "network": { "type": "cellular", "subtype": "lte" }, "power": { "level": -1 } }"#
        let conditions = try JSONDecoder().decode(Conditions.self, from: Data(text.utf8))
        #expect(conditions == Conditions(network: NetworkPath(.cellular, radio: .lte)))
        #expect(conditions.network.isExpensive)
    }

    @Test func `an unknown value is rejected`() {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Conditions.self, from: Data(#"{ "thermal": "tepid" }"#.utf8))
        }
    }

    @Test(
        arguments: [(-1, nil), (-0.5, nil), (.nan, nil), (0, 0), (0.5, 0.5), (1, 1), (85, 1)] as [(Double, Double?)])
    func `a level is a share or unknown`(given: Double, level: Double?) {
        #expect(Power(level: given).level == level)
    }

    @Test func `an update changes only the given parts, the lifecycle last and step by step`() {
        let start = Conditions(network: .wifi, thermal: .fair, lifecycle: .active)
        let states = ConditionsUpdate(network: .offline, lifecycle: .background).states(from: start)
        #expect(
            states == [
                Conditions(network: .offline, thermal: .fair, lifecycle: .active),
                Conditions(network: .offline, thermal: .fair, lifecycle: .inactive),
                Conditions(network: .offline, thermal: .fair, lifecycle: .background),
            ]
        )
        #expect(ConditionsUpdate(network: .wifi, lifecycle: .active).states(from: start).isEmpty)
    }

    @Test(arguments: [
        (NetworkPath.Medium.wifi, "wifi"), (.cellular, "cell"), (.ethernet, "wired"), (.unknown, "unknown"),
        (.offline, "unavailable"),
    ])
    func `a path has the type of the semantic conventions`(medium: NetworkPath.Medium, type: String) {
        #expect(NetworkPath(medium).attributes == ["network.connection.type": .string(type)])
    }

    @Test func `a cellular path has its technology and operator`() {
        let path = NetworkPath(.cellular, radio: .lteAdvanced, carrierName: "Example Mobile")
        #expect(path.attributes["network.connection.subtype"] == .string("lte_ca"))
        #expect(path.attributes["network.carrier.name"] == .string("Example Mobile"))
    }

    @Test func `hotter and more severe states are greater`() {
        #expect(ThermalState.allCases.sorted() == [.nominal, .fair, .serious, .critical])
        #expect(MemoryPressure.allCases.sorted() == [.normal, .warning, .critical])
    }
}
