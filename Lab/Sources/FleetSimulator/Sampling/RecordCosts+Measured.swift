import AstrolabeDelivery
import AstrolabeJournal
import AstrolabeOfflineQueue
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeTelemetryModel
import AstrolabeWire
import Foundation

extension RecordCosts {
    /// Measures records of the shop with the SDK's recording, journal, delivery and compression.
    ///
    /// Requests of 1, 2, 4 and so on up to `batch` records are measured, and the others interpolated.
    ///
    /// - Throws: An error if the folder for temporary files cannot be written or no memory is available.
    static func measured() async throws -> RecordCosts {
        let folder = FileManager.default.temporaryDirectory.path + "/astrolabe-costs-" + IDGenerator().nextUUID()
        try PrivateFiles.makeDirectory(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let bench = try CostBench(folder: folder)
        var payloads: [Part: Int] = [:]
        var bodies: [Part: [Int: Int]] = [:]
        for part in Part.allCases {
            var count = 1
            while count <= batch {
                let (payload, body) = await bench.measure(part, count)
                payloads[part] = payload / count
                bodies[part, default: [:]][count] = body
                count *= 2
            }
        }
        bench.end()
        return RecordCosts(payload: { payloads[$0] ?? 0 }) { part, count in
            interpolate(bodies[part] ?? [:], at: count)
        }
    }

    /// - Parameter measured: Values at the powers of two.
    private static func interpolate(_ measured: [Int: Int], at count: Int) -> Int {
        var low = 1
        while low * 2 <= count { low *= 2 }
        let start = measured[low] ?? 0
        guard low < count, let end = measured[low * 2] else { return start }
        return start + (end - start) * (count - low) / low
    }
}

/// Records and sends with the SDK's code, into a transport that counts bytes.
private struct CostBench {
    private let sink: CountingSink
    private let meter = RequestMeter()
    private let writer: RecordWriter
    private let delivery: DeliveryService
    private let clock = VirtualClock()
    private let ids = IDGenerator(firstSeed: 11, secondSeed: 12)

    private static let collector = "http://collector.example:4318"
    private static let screens = ["Products", "ProductDetail", "Cart", "Checkout", "Recommendations", "Search"]
    private static let routes = ["/api/products", "/api/products/{id}", "/api/cart", "/api/recommendations"]
    private static let resource: Attributes = [
        "service.name": "astronomy-shop", "service.version": "1.0.0", "os.name": "iOS", "os.version": "18.7",
        "device.manufacturer": "Apple", "device.model.identifier": "iPhone15,2",
        "app.installation.id": "5f4f8b52-2d7e-4c70-9a51-6c1e0d8a7b33", "telemetry.sdk.name": "astrolabe",
        "telemetry.sdk.language": "swift",
    ]

    init(folder: String) throws {
        guard let url = URL(string: Self.collector) else {
            throw FleetCollector.Fault(description: "expected an address, got \(Self.collector)")
        }
        let durableLedger = DurableLedger(path: folder + "/queue.db", clock: clock.queueClock)
        var settings = JournalConfiguration(directory: folder + "/journal")
        settings.preparesOnDemand = true
        settings.onRetire = { durableLedger.retire($0) }
        let journal = try RecordJournal(
            settings, header: EncodedResource(Resource(attributes: Self.resource)).fields, started: clock.wall,
            ids: IDGenerator(firstSeed: 13, secondSeed: 14))
        sink = CountingSink(JournalSink(journal) { $0() })
        writer = RecordWriter(RecordIdentity(device: 1, run: 0), firstNumber: 1, sink: sink)
        delivery = DeliveryService(
            journal: journal, durableLedger: durableLedger, transport: meter,
            settings: DeliveryService.Settings(endpoint: OTLPEndpoint(url: url)),
            time: clock.deliveryTime(SeededRandom(seed: 1, stream: .jitter)))
    }

    /// Closes the files.
    func end() { delivery.abandon() }

    /// Returns the bytes of that many records, before and after they are a request.
    func measure(_ part: RecordCosts.Part, _ count: Int) async -> (payload: Int, body: Int) {
        let session = ids.nextUUID()
        let marks: Attributes = [
            AttributeKey.astrolabeRecorderTrigger: "http", AttributeKey.astrolabeRecorderID: ids.nextUUID(),
        ]
        var root: Tracer.Span?
        for index in 0..<count {
            clock.advance(to: clock.now + 0.25)
            let screen = Self.screens[index / 3 % Self.screens.count]
            let context: Attributes = ["session.id": session, "app.screen.name": screen]
            switch part {
            case .span: root = span(index, under: root, context)
            case .promotedSpan: root = span(index, under: root, context.merging(marks))
            case .event:
                writer.event(
                    UInt64(index), named: "app.widget.click", severity: .info, priority: .normal,
                    attributes: context.merging(["app.widget.name": "button"]), at: clock.wall)
            case .metric: writer.gauge(UInt64(index), named: "app.memory.usage", unit: "By", at: clock.wall)
            }
        }
        await delivery.flush()
        return (sink.take(), meter.take())
    }

    /// Records a root for every third span, and requests under it.
    private func span(_ index: Int, under root: Tracer.Span?, _ context: Attributes) -> Tracer.Span? {
        let isRoot = index % 3 == 0
        let route = Self.routes[index % Self.routes.count]
        let request: Attributes = [
            "http.request.method": "GET", "http.route": route, "server.address": "shop.example",
            "http.response.status_code": 200,
        ]
        let start = clock.wall
        let span = writer.start(
            isRoot ? "Products" : "GET " + route, kind: isRoot ? .internal : .client, under: isRoot ? nil : root,
            attributes: isRoot ? context : context.merging(request), at: start)
        let end = start + 80_000_000 + UInt64(index % 97) * 1_234_567
        writer.end(span, UInt64(index), priority: .normal, at: end)
        return isRoot ? span : root
    }
}

/// Counts the bytes of records on their way to the journal.
private final class CountingSink: RecordSink {
    private let sink: JournalSink
    private let count = Locked(0)

    init(_ sink: JournalSink) {
        self.sink = sink
    }

    func register(_ scope: InstrumentationScope) -> ScopeNumber { sink.register(scope) }

    func append(_ bytes: UnsafeRawBufferPointer, header: RecordHeader) {
        count.withLock { $0 += bytes.count }
        sink.append(bytes, header: header)
    }

    /// Returns the bytes since the last call.
    func take() -> Int { count.exchange(0) }
}

/// A server that accepts everything, and counts the bytes of bodies.
private final class RequestMeter: OTLPTransport {
    private let count = Locked(0)

    func send(_ request: OTLPRequest) async -> SendResult {
        count.withLock { $0 += request.body.count }
        return .response(status: 200, retryAfter: nil, body: [])
    }

    /// Returns the bytes since the last call.
    func take() -> Int { count.exchange(0) }
}
