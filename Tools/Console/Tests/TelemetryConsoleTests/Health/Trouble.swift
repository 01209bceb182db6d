import AstrolabeTelemetryModel
import ConsoleModel

/// Crashes and hangs of a `ShopProgram`, in the form that `Docs/Internals/HealthEvents.md` gives them.
struct Trouble: Sendable {
    let program: ShopProgram
    var version = "1.5.0"
    var session = "session-1"
    var user = 1
    /// The start time in seconds since 1970.
    var time: UInt64 = 1_790_000_000

    static let message = "Fatal error: the cart holds ten telescopes"

    private var phone: Resource {
        Resource(attributes: [
            "service.name": "astronomy-shop", "service.version": version, "os.name": "iOS",
            "device.model.name": "iPhone 15 Pro", "app.installation.id": "user-\(user)",
        ])
    }

    private var own: Attributes { ["session.id": session, "app.screen.name": "ProductDetail"] }

    private var images: AttributeValue {
        .array([
            .map(["name": "libc.so.6", "build_id": "58254ca972028402bc40624f81388d85d95f70d0"]),
            .map(["name": "astronomy-shop", "build_id": program.buildID, "is_app": true]),
        ])
    }

    /// The addresses, innermost first. All but the first are return addresses.
    private func frames(_ functions: [ShopProgram.Function], system: Int64 = 0x2a1b0) throws -> AttributeValue {
        let called: [AttributeValue] = try functions.map { function in
            .map(["image": 1, "offset": try program.address(function) + 1])
        }
        return .array([.map(["image": 0, "offset": system])] + called)
    }

    func group(_ records: [LogRecordData]) -> [ResourceGroup<LogRecordData>] {
        let scope = InstrumentationScope(name: "astrolabe.health", version: "1")
        return [ResourceGroup(resource: phone, scopes: [ScopeGroup(scope: scope, records: records)])]
    }

    private func record(_ name: String, severity: Int32, after milliseconds: UInt64, _ more: Attributes)
        -> LogRecordData
    {
        var attributes = own
        attributes.merge(more)
        return LogRecordData(
            timeUnixNano: time * 1_000_000_000 + milliseconds * 1_000_000, severityNumber: severity, eventName: name,
            attributes: attributes, traceID: TraceID(high: 1, low: time), spanID: SpanID(7),
        )
    }

    func click(after milliseconds: UInt64) -> LogRecordData {
        record("app.widget.click", severity: 9, after: milliseconds, ["app.widget.id": "addToCart"])
    }

    func crash(after milliseconds: UInt64 = 5_000, _ more: Attributes = [:]) throws -> LogRecordData {
        var attributes: Attributes = [
            "exception.type": "SIGILL", "exception.message": Self.message,
            "astrolabe.crash.code_name": "ILL_ILLOPN", "ios.app.state": "active",
            "astrolabe.crash.registers": AttributeValue.map(["rip": "0x7f2a41af9560"]),
            "astrolabe.crash.memory.used": 93_454_336,
            "astrolabe.breadcrumbs": AttributeValue.array([
                #"{"time":"2026-09-21T14:13:24.000Z","category":"tap","message":"Add to Cart"}"#
            ]),
            "astrolabe.images": images,
            "astrolabe.crash.threads": AttributeValue.array([
                .map(["id": 9, "name": "delivery", "frames": try frames([.start])]),
                .map([
                    "id": 7, "name": "main", "is_crashed": true, "is_main": true,
                    "frames": try frames([.check, .add, .start]),
                ]),
            ]),
        ]
        attributes.merge(more)
        return record("app.crash", severity: 21, after: milliseconds, attributes)
    }

    /// `burn` is on the stack in three of four samples.
    func hang(after milliseconds: UInt64 = 3_000) throws -> LogRecordData {
        let stacks = try (0..<4).map { index -> AttributeValue in
            .map([
                "time": Double(index) * 0.5,
                "frames": try frames(index == 3 ? [.check, .add, .start] : [.burn, .check, .add, .start]),
            ])
        }
        return record(
            "astrolabe.hang", severity: 17, after: milliseconds,
            [
                "astrolabe.hang.duration": 2.0, "astrolabe.hang.severity": "severe",
                "astrolabe.hang.sample_interval": 0.5, "astrolabe.hang.samples": AttributeValue.array(stacks),
                "astrolabe.images": images,
            ],
        )
    }

    func end(after milliseconds: UInt64 = 5_100) -> LogRecordData {
        record(
            "astrolabe.run.end", severity: 17, after: milliseconds,
            [
                "astrolabe.run.end.reason": "crash", "astrolabe.run.duration": 93.4,
                "astrolabe.run.end.evidence": ["a crash report of this run was found"],
            ],
        )
    }
}
