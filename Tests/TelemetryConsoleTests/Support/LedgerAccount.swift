/// A device's account of its records, as the SDK sends it with a collection of metrics.
struct LedgerAccount {
    var time: UInt64
    var created: Int
    var delivered: Int
    var journal = 0
    var queue = 0
    var dropped: [(reason: String, count: Int)] = []

    func body(_ phone: [(String, JSON)]) -> JSON {
        let places = [("journal", journal), ("queue", queue)]
        let metrics: [JSON] = [
            gauge("created", [([], created)]), gauge("delivered", [([], delivered)]),
            gauge("pending", places.map { ([("astrolabe.record.place", .string($0.0))], $0.1) }),
            gauge("dropped", dropped.map { ([("astrolabe.drop.reason", .string($0.reason))], $0.count) }),
        ]
        return [
            "resourceMetrics": [
                [
                    "resource": ["attributes": OTLPBody.attributes(phone)],
                    "scopeMetrics": [["scope": ["name": "astrolabe.delivery"], "metrics": .array(metrics)]],
                ]
            ]
        ]
    }

    private func gauge(_ name: String, _ points: [([(String, JSON)], Int)]) -> JSON {
        let dataPoints: [JSON] = points.map { attributes, value in
            [
                "attributes": OTLPBody.attributes(attributes), "asInt": .string(String(value)),
                "timeUnixNano": .string(String(time)),
            ]
        }
        return [
            "name": .string("astrolabe.records.\(name)"), "unit": "{record}",
            "gauge": ["dataPoints": .array(dataPoints)],
        ]
    }
}

extension ShopVisit {
    var installation: String {
        guard case .string(let id)? = phone.first(where: { $0.0 == "app.installation.id" })?.1 else { return "" }
        return id
    }

    /// The accounts of an afternoon: a tunnel in which records wait, some that are given up, and the way back.
    func ledgerCourse(every seconds: UInt64 = 60, count: Int = 90) -> [LedgerAccount] {
        let end = start + 20_000_000_000
        var delivered = 8_140
        var waiting = 0
        var (sampledOut, evicted) = (310, 0)
        return (0..<count).map { step in
            let made = 34 + (step * 7) % 23
            let isOffline = (38..<61).contains(step)
            sampledOut += step.isMultiple(of: 3) ? 4 : 1
            if isOffline {
                waiting += made
                if waiting > 900 {
                    evicted += waiting - 900
                    waiting = 900
                }
            } else {
                let sent = min(waiting, 260)
                waiting -= sent
                delivered += sent + made
            }
            let journal = 12 + (step * 5) % 17
            return LedgerAccount(
                time: end - UInt64(count - 1 - step) * seconds * 1_000_000_000,
                created: delivered + journal + waiting + sampledOut + evicted, delivered: delivered, journal: journal,
                queue: waiting, dropped: [("sampled out", sampledOut), ("evicted", evicted)].filter { $0.1 > 0 },
            )
        }
    }

    /// The visit of a phone that goes through a tunnel: all that a device can live through.
    static func tunnel(number: Int = 1, start: UInt64 = 1_790_000_000_000_000_000, installation: Int? = nil)
        -> ShopVisit
    {
        var visit = ShopVisit(number: number, start: start, installation: installation)
        visit.launch()
        visit.changeNetwork("wifi")
        visit.open(product: "OLJCESPC7Z", name: "National Park Foundation Explorascope")
        visit.changeNetwork("unavailable")
        visit.changePolicy(
            from: "normal", to: "reduced", upload: "queued",
            ["Battery at 15 %, not charging: collect at most in reduced mode", "No network: keep on the device"],
        )
        visit.addToCart(product: "OLJCESPC7Z", name: "National Park Foundation Explorascope", quantity: 2)
        visit.changeState("background")
        visit.changeState("foreground")
        visit.stepBudget()
        visit.changeNetwork("cell")
        visit.changePolicy(
            from: "reduced", to: "normal", upload: "batched", ["Network that costs: cellular: send in batches"],
        )
        visit.openCart()
        return visit
    }
}
