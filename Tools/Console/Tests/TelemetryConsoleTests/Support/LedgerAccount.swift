import BrowserKit

/// A device's ledger snapshot as the SDK sends it with its metrics.
struct LedgerAccount {
    var time: UInt64
    var created: Int
    var delivered: Int
    var journal = 0
    var queue = 0
    var notSent = 0
    var dropped: [(reason: String, count: Int)] = []

    func body(_ phone: [(String, JSON)]) -> JSON { Self.body([self], of: phone) }

    /// Several snapshots in one request, as after a time without a connection.
    static func body(_ accounts: [LedgerAccount], of phone: [(String, JSON)]) -> JSON {
        ["resourceMetrics": .array(accounts.map { $0.group(phone) })]
    }

    private func group(_ phone: [(String, JSON)]) -> JSON {
        let places = [("journal", journal), ("queue", queue)]
        let metrics: [JSON] = [
            gauge("created", [([], created)]), gauge("delivered", [([], delivered)]),
            gauge("pending", places.map { ([("astrolabe.record.place", .string($0.0))], $0.1) }),
            gauge("not_sent", [([], notSent)]),
            gauge("dropped", dropped.map { ([("astrolabe.drop.reason", .string($0.reason))], $0.count) }),
        ]
        return [
            "resource": ["attributes": OTLPBody.attributes(phone)],
            "scopeMetrics": [["scope": ["name": "astrolabe.delivery"], "metrics": .array(metrics)]],
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

    /// The snapshots up to the end of the visit: a tunnel in which records wait, some drops, and the way back.
    func ledgerHistory(every seconds: UInt64 = 10, count: Int = 70) -> [LedgerAccount] {
        var delivered = 2_140
        var waiting = 0
        var (sampledOut, evicted, unsent) = (96, 0, 410)
        return (0..<count).map { step in
            let made = 9 + (step * 7) % 6
            let isOffline = (38..<61).contains(step)
            sampledOut += step.isMultiple(of: 3) ? 2 : 0
            unsent += 4
            if isOffline {
                waiting += made
                if waiting > 220 {
                    evicted += waiting - 220
                    waiting = 220
                }
            } else {
                // After the tunnel the recorder sends a window.
                if step == 61 { (waiting, unsent) = (waiting + 120, unsent - 120) }
                let sent = min(waiting, 80)
                waiting -= sent
                delivered += sent + made
            }
            let journal = 3 + (step * 5) % 7
            return LedgerAccount(
                time: now - UInt64(count - 1 - step) * seconds * 1_000_000_000,
                created: delivered + journal + waiting + unsent + sampledOut + evicted, delivered: delivered,
                journal: journal, queue: waiting, notSent: unsent,
                dropped: [("sampled out", sampledOut), ("evicted", evicted)].filter { $0.1 > 0 },
            )
        }
    }
}
