import AstrolabePlatform
import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeTelemetryModel
import FleetSimulator

/// One visit to the shop: what the app and the backend record from the launch until the person leaves.
///
/// A visit is one session, or two if it has an order, because the app starts a new session then.
struct Visit {
    let phone: Phone
    let recorder: HistoryRecorder
    var chance: SeededRandom
    /// The current time in nanoseconds since 1970.
    var now: UInt64
    /// The current session.
    private(set) var session = ""
    private(set) var sessions = 0
    /// True if an order failed that the person wanted.
    var wasLetDown = false
    /// The records that the device dropped, by reason.
    private(set) var lostRecords: [String: Int] = [:]
    var cart: [(item: ShelfItem, quantity: Int)] = []
    var network: PhoneNetwork
    private var previousSession: String
    private let mayOpenNextSession: Bool
    private var sessionStart: UInt64 = 0
    private var screens: Set<String> = []
    private var screen: (name: String, span: Tracer.Span, since: UInt64)?

    init(
        phone: Phone, recorder: HistoryRecorder, chance: SeededRandom, start: UInt64, previousSession: String,
        mayOpenNextSession: Bool,
    ) {
        self.phone = phone
        self.recorder = recorder
        self.chance = chance
        now = start
        self.previousSession = previousSession
        self.mayOpenNextSession = mayOpenNextSession
        network = PhoneNetwork(carrier: phone.carrier, chance: &self.chance)
    }

    /// - Parameter isDetermined: Whether the person came to order.
    mutating func take(isDetermined: Bool) {
        recorder.begin(phone.release)
        setNetwork()
        beginSession()
        launch()
        if shop(isDetermined: isDetermined) { leave() }
        loseRecords()
    }

    /// Records that waited too long, bursts on phones with little memory, and full disks.
    private mutating func loseRecords() {
        let isSmall = phone.handset.memory < 4
        for (reason, share, count) in [
            ("expired", 0.015, 20...90), ("buffer full", isSmall ? 0.06 : 0.002, 2...25),
            ("disk full", 0.004, 10...60),
        ] where chance.happens(share) {
            lostRecords[reason] = chance.count(count)
        }
    }

    /// The whole visit.
    ///
    /// - Returns: `false` if the app crashed.
    private mutating func shop(isDetermined: Bool) -> Bool {
        if chance.happens(0.04) { glance(at: "About", id: "about", from: ("Home", "home")) }
        guard isDetermined || chance.happens(0.95) else { return true }
        browse()
        if chance.happens(0.06) { loseNetwork() }
        if chance.happens(0.03 * phone.handset.slowness) { hang() }
        if chance.happens(0.07) { glance(at: "Currency", id: "currency", from: ("ProductList", "product-list")) }
        guard isDetermined || chance.happens(0.95) else { return true }
        let items = chance.count(1...3)
        for index in 0..<items {
            guard look(isDetermined: isDetermined) else { return false }
            // The others follow a recommendation.
            if index + 1 < items, chance.happens(0.65) { showList() }
        }
        guard !cart.isEmpty else { return true }
        openCart()
        if chance.happens(0.18) {
            showList()
            guard look(isDetermined: false) else { return false }
            openCart()
        }
        guard isDetermined || chance.happens(0.88) else { return true }
        checkOut()
        return true
    }

    /// Looks at a product, and perhaps puts it into the cart.
    ///
    /// - Returns: `false` if the app crashed.
    private mutating func look(isDetermined: Bool) -> Bool {
        let item = chance.pick(ShelfItem.all) ?? ShelfItem.all[0].0
        view(item)
        if crashes() {
            crash()
            return false
        }
        if isDetermined || chance.happens(0.66) { add(item, quantity: chance.count(1...2)) }
        think(2...9)
        return true
    }

    private mutating func crashes() -> Bool {
        let isSmall = phone.handset.memory < 4
        return switch phone.release {
        case .old: chance.happens(0.03)
        case .good: chance.happens(isSmall ? 0.05 : 0.006)
        case .bad: chance.happens(isSmall ? 0.06 : 0.012)
        }
    }

    mutating func think(_ seconds: ClosedRange<Double>) {
        now += UInt64(chance.within(seconds) * 1e9)
    }

    private mutating func leave() {
        closeScreen()
        event(EventName.deviceAppLifecycle, scope: "astrolabe.conditions", [AttributeKey.iosAppState: "background"])
    }
}

// Sessions, screens and the network.
extension Visit {
    /// - Parameter isReset: True after an order, within the visit.
    mutating func beginSession(isReset: Bool = false) {
        session = recorder.phone.ids.nextUUID()
        sessions += 1
        sessionStart = now
        screens = []
        set([AttributeKey.sessionID: .string(session)])
        var attributes: Attributes = [
            AttributeKey.sessionID: session, AttributeKey.astrolabeSessionStartReason: isReset ? "reset" : "launch",
        ]
        if !previousSession.isEmpty { attributes[AttributeKey.sessionPreviousID] = .string(previousSession) }
        event(EventName.sessionStart, scope: "astrolabe.sessions", attributes)
        previousSession = session
    }

    /// Ends the session after an order and begins the next on a screen, unless the history has enough of them.
    ///
    /// - Returns: Whether there is a next session.
    mutating func renewSession(on screen: String, id: String) -> Bool {
        set([AttributeKey.appScreenName: .string(screen), AttributeKey.appScreenID: .string(id)])
        event(
            EventName.sessionEnd, scope: "astrolabe.sessions",
            [
                AttributeKey.sessionID: session,
                AttributeKey.sessionDurationSeconds: Double(now - sessionStart) / 1e9,
                AttributeKey.screensVisited: AttributeValue(screens.count),
            ],
        )
        guard mayOpenNextSession else { return false }
        beginSession(isReset: true)
        return true
    }

    /// Shows a screen, after the one that was shown before.
    mutating func show(_ name: String, id: String, heaviness: Double = 1) {
        closeScreen()
        set([AttributeKey.appScreenName: .string(name), AttributeKey.appScreenID: .string(id)])
        screens.insert(name)
        let scope = "astrolabe.views"
        let root = begin(
            name, kind: .client, scope: scope, under: nil,
            [AttributeKey.viewName: name, AttributeKey.viewType: KnownValue.swiftUIView],
        )
        let body = begin(
            SpanName.viewBody(name), kind: .client, scope: scope, under: root,
            [AttributeKey.viewLifecycle: "body", AttributeKey.viewBodyEvaluation: 1],
        )
        let length = chance.logNormal(median: 5 * phone.handset.slowness * heaviness, spread: 1.6)
        end(body, at: now + nanoseconds(length))
        now += nanoseconds(length + 9)
        let appear = begin(
            SpanName.viewOnAppear(name), kind: .client, scope: scope, under: root,
            [AttributeKey.viewLifecycle: "onAppear", AttributeKey.viewAppearCount: 1],
        )
        end(appear, at: now)
        screen = (name, root, now)
        drawFrames(on: name, heaviness: heaviness)
    }

    mutating func closeScreen() {
        guard let screen else { return }
        end(screen.span, at: now)
        self.screen = nil
    }

    /// Measures frames as the SDK does, and reports slow ones.
    private mutating func drawFrames(on name: String, heaviness: Double) {
        let histogram = recorder.phone.meter("astrolabe.health").histogram(
            MetricName.frameDuration, unit: "s",
            bounds: [0.004, 0.0083, 0.0167, 0.033, 0.05, 0.1, 0.25, 0.7, 2])
        let slowShare = min(0.5, 0.012 * phone.handset.slowness * phone.handset.slowness * heaviness)
        var slow = 0
        var longest = 0.0
        for _ in 0..<24 {
            let isSlow = chance.happens(slowShare)
            let length = isSlow ? chance.logNormal(median: 0.04, spread: 2) : chance.within(0.0035...0.016)
            if length > 0.0167 { slow += 1 }
            longest = max(longest, length)
            histogram.record(length, attributes: [AttributeKey.appScreenName: name])
        }
        guard slow > 1 else { return }
        event(
            EventName.appJank, scope: "astrolabe.health", severity: .warn,
            [
                AttributeKey.appJankFrameCount: AttributeValue(slow), AttributeKey.appJankThreshold: 0.0167,
                AttributeKey.appJankPeriod: 10.0, AttributeKey.astrolabeJankLongest: longest,
                AttributeKey.astrolabeJankFrames: 24,
            ],
        )
    }

    mutating func setNetwork() {
        set([
            AttributeKey.networkConnectionType: .string(network.type),
            AttributeKey.networkConnectionSubtype: network.subtype.map { .string($0) },
            AttributeKey.networkCarrierName: network.subtype == nil ? nil : .string(phone.carrier),
        ])
    }

    /// Changes attributes that all records of the phone have; `nil` removes one.
    private func set(_ changes: [String: AttributeValue?]) {
        recorder.phone.core.ambient.update { attributes in
            for (key, value) in changes.sorted(by: { $0.key < $1.key }) { attributes[key] = value }
        }
    }
}

// Recording at the visit's time.
extension Visit {
    func nanoseconds(_ milliseconds: Double) -> UInt64 { UInt64(max(0, milliseconds) * 1e6) }

    func begin(
        _ name: String, kind: SpanKind = .internal, scope: String? = nil, under parent: Tracer.Span?,
        at time: UInt64? = nil, _ attributes: Attributes = [:],
    ) -> Tracer.Span {
        Self.begin(name, kind, recorder.phone.tracer(scope), parent, time ?? now, attributes)
    }

    static func begin(
        _ name: String, _ kind: SpanKind, _ tracer: Tracer, _ parent: Tracer.Span?, _ time: UInt64,
        _ attributes: Attributes,
    ) -> Tracer.Span {
        let builder = tracer.spanBuilder(name).setSpanKind(kind).setStartTime(timeUnixNano: time)
        let span = (parent.map { builder.setParent($0) } ?? builder.setNoParent()).startSpan()
        span.setAttributes(attributes)
        return span
    }

    func end(_ span: Tracer.Span, at time: UInt64, _ status: SpanStatus = .unset) {
        if status != .unset { span.setStatus(status) }
        span.end(timeUnixNano: time, priority: .normal)
    }

    func event(
        _ name: String, scope: String? = nil, severity: Severity = .info, _ attributes: Attributes = [:],
        in span: Tracer.Span? = nil,
    ) {
        recorder.phone.clock.now = now
        recorder.phone.logger(scope).emit(
            name, severity: severity, attributes: attributes, timeUnixNano: now, context: span?.context)
    }
}
