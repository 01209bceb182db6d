import AstrolabePolicy
import AstrolabeTelemetryModel

/// Plans what the app records while it is used.
///
/// About every twelve seconds there is an action with its own trace: a tap, up to four requests, and the screen's span.
/// Some requests fail. Once a minute the app's metrics are read.
struct AppActivity {
    private var chance: SeededRandom
    private let device: Int
    private var session = 0
    private var lastAction = -Double.infinity
    private(set) var nextAction: Double?
    private(set) var nextReading: Double?

    init(seed: UInt64, device: Int) {
        self.device = device
        chance = SeededRandom(seed: seed, stream: .actions, device: device)
    }

    private static let secondsPerAction = 12.0
    private static let secondsPerReading = 60.0
    private static let sessionTimeout = 1_800.0
    private static let failureRate = 0.03
    private static let screens = ["Products", "ProductDetail", "Cart", "Checkout", "Recommendations", "Search"]
    private static let routes = [
        "/api/products", "/api/products/{id}", "/api/cart", "/api/recommendations", "/api/data",
    ]
    private static let metrics = [
        ("app.memory.usage", "By"), ("app.cpu.utilization", "1"), ("app.frame.rate", "{frame}/s"),
        ("http.client.active_requests", "{request}"),
    ]

    /// The time of the next event.
    var next: Double? {
        guard let nextAction, let nextReading else { return nextAction ?? nextReading }
        return min(nextAction, nextReading)
    }

    /// Starts a period of use.
    mutating func begin(at time: Double) {
        if time - lastAction > Self.sessionTimeout { session += 1 }
        nextAction = time + chance.within(1...5)
        nextReading = time + Self.secondsPerReading
    }

    mutating func end() {
        nextAction = nil
        nextReading = nil
    }

    /// Records everything that is due.
    mutating func pass(to time: Double, in run: DeviceRun) {
        if let due = nextAction, due <= time {
            lastAction = due
            nextAction = due + 0.1 + chance.wait(mean: Self.secondsPerAction)
            act(at: due, in: run)
        }
        if let due = nextReading, due <= time {
            nextReading = due + Self.secondsPerReading
            for (name, unit) in Self.metrics { run.gauge(name, unit: unit, at: due) }
        }
    }

    /// The attributes that every record has at this time.
    private func context(_ screen: String) -> Attributes {
        ["session.id": "\(device)-\(session)", "app.screen.name": screen]
    }

    private mutating func act(at time: Double, in run: DeviceRun) {
        // The records of a request are made at its end.
        let screen = Self.screens[chance.count(0...Self.screens.count - 1)]
        let fails = chance.happens(Self.failureRate)
        let requests = (0..<chance.count(0...4)).map { _ in
            (
                route: Self.routes[chance.count(0...Self.routes.count - 1)],
                seconds: min(chance.logNormal(median: 0.2, spread: 2), 0.9),
            )
        }
        let start = time - requests.reduce(0.03) { $0 + $1.seconds }
        let isHang = chance.happens(0.004)
        let notes = chance.count(0...3)
        let context = context(screen)

        run.event("app.widget.click", .info, .normal, context.merging(["app.widget.name": "button"]), at: start)
        for note in 0..<notes {
            run.event("breadcrumb", .debug, .low, context.merging(["message": "step \(note)"]), at: start)
        }
        var spans: [DeviceRun.PlannedSpan] = []
        var end = start + 0.02
        for (index, request) in requests.enumerated() {
            let isLast = index == requests.count - 1
            let begin = end
            end += request.seconds
            let attributes: Attributes = [
                "http.request.method": "GET", "http.route": request.route, "server.address": "shop.example",
                "http.response.status_code": fails && isLast ? 503 : 200,
            ]
            spans.append(
                DeviceRun.PlannedSpan(
                    name: "GET " + request.route, start: begin, end: end, kind: .client,
                    attributes: context.merging(attributes), hasFailed: fails && isLast))
        }
        let root = DeviceRun.PlannedSpan(
            name: screen, start: start, end: time, kind: .internal, attributes: context,
            hasFailed: fails && requests.isEmpty)
        run.trace(root, children: spans, chance: chance.unit())
        if fails { run.event("exception", .error, .high, context.merging(["exception.type": "HTTPError"]), at: time) }
        if isHang { run.event("app.hang", .error, .high, context, at: time) }
    }
}
