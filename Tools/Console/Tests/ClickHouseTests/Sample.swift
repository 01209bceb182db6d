import AstrolabeTelemetryModel

/// Records with a value in every part.
enum Sample {
    static let time: UInt64 = 1_800_000_000_000_000_001
    static let resource = Resource(attributes: ["service.name": "shop", "os.version": "18.1"])
    static let scope = InstrumentationScope(name: "lib", version: "1.2")

    static func traces(count: Int, trace: UInt64) -> [ResourceGroup<SpanData>] {
        let spans = (1...UInt64(count)).map { number in
            SpanData(
                context: SpanContext(
                    traceID: TraceID(high: trace, low: number), spanID: SpanID(number),
                    traceState: TraceState(header: "ot=th:8") ?? TraceState()),
                parentSpanID: SpanID(255), name: "GET /api/é", kind: .client, startTimeUnixNano: time,
                endTimeUnixNano: time + 1_500,
                attributes: [
                    "text": "a'b\\c\n", "whole": 500, "half": 2.5, "flag": true, "list": ["x", 1] as AttributeValue,
                ],
                events: [SpanEvent(name: "exception", timeUnixNano: time, attributes: ["why": "because"])],
                links: [SpanLink(context: SpanContext(traceID: TraceID(high: 0, low: 9), spanID: SpanID(9)))],
                status: .error("it's broken"))
        }
        return [ResourceGroup(resource: resource, schemaURL: "", scopes: [ScopeGroup(scope: scope, records: spans)])]
    }

    static let logs = [
        ResourceGroup(
            resource: resource, schemaURL: "",
            scopes: [
                ScopeGroup(
                    scope: scope,
                    records: [
                        LogRecordData(
                            timeUnixNano: 0, observedTimeUnixNano: time, severityNumber: 21, severityText: "FATAL",
                            eventName: "app.crash", body: .map(["reason": "memory"]),
                            attributes: ["session.id": "s1"])
                    ])
            ])
    ]

    static var metrics: [ResourceGroup<MetricData>] {
        let exemplar = Exemplar(timeUnixNano: time, value: .double(1.5))
        let metrics = [
            MetricData(name: "g", data: .gauge([NumberPoint(timeUnixNano: time, value: .int(5))])),
            MetricData(
                name: "s",
                data: .sum(
                    [NumberPoint(timeUnixNano: time, value: .double(5))], temporality: .delta, isMonotonic: true)),
            MetricData(
                name: "h",
                data: .histogram(
                    [
                        HistogramPoint(
                            timeUnixNano: time, count: 12, sum: 20, min: 0, max: 9, bucketCounts: [3, 4, 5],
                            explicitBounds: [1, 2], exemplars: [exemplar])
                    ], temporality: .cumulative)),
            MetricData(
                name: "e",
                data: .exponentialHistogram(
                    [
                        ExponentialHistogramPoint(
                            timeUnixNano: time, count: 2, scale: 3,
                            positive: ExponentialHistogramPoint.Buckets(offset: -1, counts: [1, 1]))
                    ], temporality: .delta)),
            MetricData(
                name: "q",
                data: .summary([
                    SummaryPoint(
                        timeUnixNano: time, count: 2, sum: 3,
                        quantiles: [SummaryPoint.Quantile(quantile: 0.5, value: 1)])
                ])),
        ]
        return [
            ResourceGroup(resource: resource, schemaURL: "", scopes: [ScopeGroup(scope: scope, records: metrics)])
        ]
    }
}
