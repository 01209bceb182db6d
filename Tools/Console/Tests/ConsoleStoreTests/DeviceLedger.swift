import AstrolabeTelemetryModel

/// A device's ledger snapshot as the SDK sends it: gauges whose points have the same time.
struct DeviceLedger {
    var milliseconds: UInt64
    var created = 0
    var delivered = 0
    var journal = 0
    var queue = 0
    /// `nil` for an SDK without a flight recorder.
    var notSent: Int?
    var dropped: [(reason: String, count: Int)] = []

    /// - Parameter milliseconds: The time since the start of the visit.
    init(
        at milliseconds: UInt64, created: Int, delivered: Int, journal: Int = 0, queue: Int = 0,
        notSent: Int? = nil, dropped: [(reason: String, count: Int)] = [],
    ) {
        self.milliseconds = milliseconds
        self.created = created
        self.delivered = delivered
        self.journal = journal
        self.queue = queue
        self.notSent = notSent
        self.dropped = dropped
    }

    var metrics: [MetricData] {
        let sent = [
            gauge("created", [([:], created)]), gauge("delivered", [([:], delivered)]),
            gauge(
                "pending",
                [(["astrolabe.record.place": "journal"], journal), (["astrolabe.record.place": "queue"], queue)],
            ),
            gauge("dropped", dropped.map { (["astrolabe.drop.reason": $0.reason], $0.count) }),
        ]
        return notSent.map { sent + [gauge("not_sent", [([:], $0)])] } ?? sent
    }

    func groups(from installation: String, version: String = "1.4.2") -> [ResourceGroup<MetricData>] {
        ShopFixture.group(Self.phone(installation, version: version), metrics)
    }

    static func phone(_ installation: String, version: String = "1.4.2") -> Resource {
        var phone = ShopFixture.phone
        phone.attributes["app.installation.id"] = .string(installation)
        phone.attributes["service.version"] = .string(version)
        return phone
    }

    private func gauge(_ name: String, _ points: [(attributes: Attributes, value: Int)]) -> MetricData {
        MetricData(
            name: "astrolabe.records.\(name)", unit: "{record}",
            data: .gauge(
                points.map {
                    NumberPoint(
                        attributes: $0.attributes, timeUnixNano: ShopFixture.at(milliseconds),
                        value: .int(Int64($0.value)),
                    )
                }
            ),
        )
    }
}
