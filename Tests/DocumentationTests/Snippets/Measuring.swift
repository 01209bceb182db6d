import Astrolabe

func measure(_ telemetry: Telemetry, _ cart: Cart) {
    // snippet: instruments
    let meter = telemetry.meter("shop.cart")
    let added = meter.counter("demo.cart.items.added", unit: "{item}")
    added.add(1, attributes: ["demo.product.id": "L9ECAV7KIM"])
    meter.histogram("demo.search.duration", unit: "s", bounds: [0.1, 0.5, 1, 5]).record(0.34)
    // snippet: end
}

func measureOften(_ meter: Meter) {
    // snippet: bound
    let tiles = meter.counter("demo.map.tiles").bound(to: ["demo.map.layer": "stars"])
    for _ in 0..<1_000 { tiles.add(1) }
    // snippet: end
}

func configureViews(_ configuration: inout TelemetryConfiguration) {
    // snippet: views
    configuration.metricViews = [
        MetricView(instrument: "http.client.request.duration", aggregation: .base2Exponential()),
        MetricView(instrument: "demo.cart.*", kind: .counter, attributeKeys: ["demo.product.id"]),
        MetricView(instrument: "demo.search.duration", name: "demo.searches", attributeKeys: [], aggregation: .sum),
        MetricView(meter: "com.example.noisy", aggregation: .drop),
    ]
    // snippet: end

    // snippet: exemplars
    configuration.exemplars = .traceBased
    // snippet: end
}
