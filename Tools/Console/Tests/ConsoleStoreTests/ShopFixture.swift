import AstrolabeTelemetryModel

/// A visit to the shop as recorded by phone and backend: screens, a backend request, a failed checkout, and a crash.
enum ShopFixture {
    static let start: UInt64 = 1_790_000_000_000_000_000
    static let phone = Resource(attributes: [
        "service.name": "astronomy-shop", "service.version": "1.4.2", "device.manufacturer": "Apple",
        "device.model.identifier": "iPhone16,1", "device.model.name": "iPhone 15 Pro", "os.name": "iOS",
        "os.version": "18.1",
    ])
    static let backend = Resource(attributes: ["service.name": "shop-backend", "os.name": "linux"])
    static let scope = InstrumentationScope(name: "astrolabe", version: "0.1.0")

    /// Returns a time of the visit.
    static func at(_ milliseconds: UInt64) -> UInt64 { start + milliseconds * 1_000_000 }

    static func span(
        _ trace: UInt64, _ id: UInt64, parent: UInt64 = 0, _ name: String, kind: SpanKind = .internal,
        from: UInt64, to: UInt64, _ attributes: Attributes = [:], status: SpanStatus = .unset,
    ) -> SpanData {
        SpanData(
            context: SpanContext(traceID: TraceID(high: 0xA5, low: trace), spanID: SpanID(id)),
            parentSpanID: SpanID(parent), name: name, kind: kind, startTimeUnixNano: at(from), endTimeUnixNano: at(to),
            attributes: attributes, status: status,
        )
    }

    /// The phone's spans, which all have the session id.
    static func phoneSpans(session: String = "s-1") -> [SpanData] {
        let own: Attributes = ["session.id": session]
        func with(_ more: Attributes) -> Attributes {
            var all = own
            all.merge(more)
            return all
        }
        return [
            span(1, 11, "ProductList", kind: .client, from: 100, to: 400, with(["app.screen.name": "ProductList"])),
            span(1, 12, parent: 11, "ProductListViewModel.loadProducts", from: 110, to: 390, own),
            span(
                1, 13, parent: 12, "GET /api/products", kind: .client, from: 120, to: 380,
                with(["http.request.method": "GET", "http.response.status_code": 200, "server.port": 8080]),
            ),
            span(2, 21, "CheckoutViewModel.placeOrder", from: 5_000, to: 5_900, with(["app.screen.name": "Checkout"])),
            span(
                2, 22, parent: 21, "POST /api/checkout", kind: .client, from: 5_010, to: 5_880,
                with(["http.method": "POST", "http.status_code": 500]), status: .error("HTTP 500"),
            ),
        ]
    }

    /// The backend's spans, which have no session id.
    static func backendSpans() -> [SpanData] {
        [
            span(1, 14, parent: 13, "GET /api/products", kind: .server, from: 150, to: 350),
            span(2, 23, parent: 22, "POST /api/checkout", kind: .server, from: 5_050, to: 5_850),
            span(2, 24, parent: 23, "quote", from: 5_060, to: 5_100, ["demo.shipping.amount": 8.99]),
            span(
                2, 25, parent: 23, "charge", from: 5_110, to: 5_800,
                ["demo.order.id": "o-77", "demo.payment.card_type": "visa"], status: .error("payment unreachable"),
            ),
        ]
    }

    static func events(session: String = "s-1") -> [LogRecordData] {
        [
            LogRecordData(
                timeUnixNano: at(50), severityNumber: 9, eventName: "session.start",
                attributes: ["session.id": session, "log.record.uid": "e-1"],
            ),
            LogRecordData(
                timeUnixNano: at(4_000), severityNumber: 9, eventName: "app.widget.click",
                attributes: [
                    "session.id": session, "app.screen.name": "Cart", "app.widget.id": "checkout",
                    "log.record.uid": "e-2",
                ],
            ),
            LogRecordData(
                timeUnixNano: at(6_000), severityNumber: 21, eventName: "app.crash",
                attributes: [
                    "session.id": session, "exception.type": "SIGILL", "log.record.uid": "e-3",
                ],
            ),
        ]
    }

    /// The backend's log records in the phone's trace, without a session id.
    static func backendLogs() -> [LogRecordData] {
        [
            LogRecordData(
                timeUnixNano: at(5_790), severityNumber: 17, body: "payment unreachable",
                traceID: TraceID(high: 0xA5, low: 2), spanID: SpanID(25),
            )
        ]
    }

    static func metrics(session: String = "s-1") -> [MetricData] {
        [
            MetricData(
                name: "astrolabe.records.created", unit: "{record}",
                data: .sum(
                    [
                        NumberPoint(
                            attributes: ["session.id": session], timeUnixNano: at(7_000), value: .int(11))
                    ],
                    temporality: .cumulative, isMonotonic: true,
                ),
            )
        ]
    }

    static func group<Record>(_ resource: Resource, _ records: [Record]) -> [ResourceGroup<Record>] {
        [ResourceGroup(resource: resource, scopes: [ScopeGroup(scope: scope, records: records)])]
    }
}
