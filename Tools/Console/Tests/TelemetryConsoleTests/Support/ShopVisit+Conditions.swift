import BrowserKit

/// The device conditions and policy decisions of a visit.
extension ShopVisit {
    mutating func changeNetwork(_ type: String, radio: String? = nil, carrier: String? = nil) {
        network = [
            ("network.connection.type", type), ("network.connection.subtype", radio),
            ("network.carrier.name", carrier),
        ].compactMap { name, value in value.map { (name, .string($0)) } }
        event("network.change")
        pass(400)
    }

    mutating func changeState(_ state: String) {
        event("device.app.lifecycle", [("ios.app.state", .string(state))])
        pass(600)
    }

    /// Adds a policy change with its reasons.
    mutating func changePolicy(from previous: String, to mode: String, upload: String, _ reasons: [JSON]) {
        event(
            "astrolabe.policy.change",
            [
                ("astrolabe.policy.mode", .string(mode)), ("astrolabe.policy.previous_mode", .string(previous)),
                ("astrolabe.policy.sampling_rate", 0.5), ("astrolabe.policy.upload", .string(upload)),
                ("astrolabe.policy.reasons", .array(reasons)),
            ],
        )
        pass(300)
    }

    /// Adds a budget event for CPU usage.
    mutating func stepBudget() {
        event(
            "astrolabe.budget.step",
            [
                ("astrolabe.budget.resource", "CPU"), ("astrolabe.budget.measured", 0.0412),
                ("astrolabe.budget.limit", 0.05), ("astrolabe.policy.mode", "minimal"),
                ("astrolabe.policy.previous_mode", "reduced"),
            ],
        )
        pass(300)
    }

    /// A visit through a tunnel, with all kinds of device conditions.
    static func tunnel(number: Int = 1, start: UInt64 = 1_790_000_000_000_000_000, installation: Int? = nil)
        -> ShopVisit
    {
        var visit = ShopVisit(number: number, start: start, installation: installation)
        visit.launch()
        visit.changeNetwork("wifi")
        visit.open(product: "OLJCESPC7Z", name: "National Park Foundation Explorascope")
        visit.pass(55_000)
        visit.changeNetwork("unavailable")
        visit.changePolicy(
            from: "normal", to: "reduced", upload: "queued",
            ["Battery at 15 %, not charging: collect at most in reduced mode", "No network: keep on the device"],
        )
        visit.tap("tab.cart")
        visit.pass(70_000)
        visit.changeState("inactive")
        visit.changeState("background")
        visit.pass(40_000)
        visit.changeState("foreground")
        visit.changeState("active")
        visit.pass(20_000)
        visit.stepBudget()
        visit.pass(70_000)
        visit.changeNetwork("cell", radio: "nr", carrier: "Orbit")
        visit.changePolicy(
            from: "minimal", to: "normal", upload: "batched", ["Expensive network: cellular: send in batches"],
        )
        visit.pass(12_000)
        visit.openCart()
        visit.pass(40_000)
        visit.browse()
        return visit
    }
}
