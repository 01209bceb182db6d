import BrowserKit

/// The replay of a visit, created from the visit's own events.
struct ReplayVisit {
    let visit: ShopVisit
    private(set) var frames: [OTLPBody.Event] = []
    private var recorder = WireRecorder()
    private var sequence = 0
    private var lastKey: UInt64 = 0
    private let recording: String
    /// The nanoseconds between two key frames.
    private let keyInterval: UInt64
    /// The sequences of frames that do not arrive.
    var lost: Set<Int> = []

    init(
        _ visit: ShopVisit, recording: String = "5f0c2b4e-6b1f-4c58-8f6f-0a2f5d6c7b8a",
        keyInterval: UInt64 = 10_000_000_000,
    )
        throws
    {
        self.visit = visit
        self.keyInterval = keyInterval
        self.recording = recording
        var quantity = 1
        var ends = visit.events.dropFirst().map(\.time)
        ends.append(visit.now)
        for (event, end) in zip(visit.events, ends) {
            let screen = event.text("app.screen.name")
            switch (event.name, event.text("app.widget.id")) {
            case ("app.crash", _): return
            case ("app.screen.view_did_appear", _), ("session.start", _):
                switch screen {
                case "ProductDetail":
                    try record(ShopScreens.detail(quantity: 1, isAdded: false), at: event.time + 90_000_000)
                case "Cart": try record(ShopScreens.cart(items: 2), at: event.time + 90_000_000)
                default:
                    try record(ShopScreens.list(), at: event.time + 90_000_000)
                    try scroll(from: event.time + 900_000_000, until: end)
                }
            case ("app.widget.click", "add_to_cart"):
                for number in 2...6 {
                    let time = event.time - 1_000_000_000 + UInt64(number) * 250_000_000
                    guard time < end else { break }
                    quantity = number
                    try record(
                        ShopScreens.detail(quantity: quantity, isAdded: number == 6),
                        at: time)
                }
            case ("app.widget.click", "place_order"):
                try record(ShopScreens.cart(items: 2, isLoading: true), at: event.time + 120_000_000)
                try record(ShopScreens.cart(items: 2), at: event.time + 1_400_000_000)
            default: break
            }
        }
    }

    private mutating func scroll(from start: UInt64, until end: UInt64) throws {
        for (index, rows) in [1, 2, 1, 0].enumerated() where start + UInt64(index) * 250_000_000 < end {
            try record(ShopScreens.list(scrolledBy: rows), at: start + UInt64(index) * 250_000_000)
        }
    }

    /// Adds a frame if anything changed. The first frame, every 40th, and one after 10 s are key frames.
    mutating func record(_ wire: Wire, at time: UInt64, screen: String? = nil) throws {
        let isKey = sequence % 40 == 0 || time > lastKey + keyInterval
        guard let (nodes, removed) = try recorder.change(to: wire, isKey: isKey) else { return }
        var attributes: [(String, JSON)] = [
            ("astrolabe.replay.id", .string(recording)), ("astrolabe.replay.sequence", .integer(sequence)),
            ("astrolabe.replay.root", .integer(recorder.root)), ("astrolabe.replay.nodes", .array(nodes)),
            ("session.id", .string(visit.session)),
            (
                "app.screen.name",
                .string(screen ?? visit.events.last { $0.time <= time }?.text("app.screen.name") ?? "Shop"),
            ),
            ("log.record.uid", .string("\(recording)-\(sequence)")),
        ]
        if isKey {
            lastKey = time
            attributes += [("astrolabe.replay.is_key_frame", true), ("astrolabe.replay.size", [393, 852])]
        }
        if !removed.isEmpty { attributes.append(("astrolabe.replay.removed", .array(removed.map(JSON.integer)))) }
        frames.append(OTLPBody.Event(name: "astrolabe.replay", time: time, severity: 5, attributes: attributes))
        sequence += 1
    }

    var body: JSON {
        OTLPBody.logs(visit.phone, frames.enumerated().filter { !lost.contains($0.offset) }.map(\.element))
    }

    /// A visit that crashes at its tenth telescope, shortly after a tap.
    static func crash(number: Int = 1, start: UInt64 = 1_790_000_000_000_000_000) throws -> ReplayVisit {
        var visit = ShopVisit(number: number, start: start)
        visit.launch()
        visit.open(product: "OLJCESPC7Z", name: "National Park Foundation Explorascope")
        visit.addToCart(product: "OLJCESPC7Z", name: "National Park Foundation Explorascope", quantity: 6)
        visit.openCart()
        visit.checkOut(order: "o-1001", declined: true)
        visit.browse()
        visit.open(product: "OLJCESPC7Z", name: "National Park Foundation Explorascope")
        visit.tap("add_to_cart")
        visit.pass(400)
        visit.crash()
        return try ReplayVisit(visit, keyInterval: 4_000_000_000)
    }
}

extension OTLPBody.Event {
    func text(_ key: String) -> String? {
        guard case .string(let text)? = attributes.first(where: { $0.0 == key })?.1 else { return nil }
        return text
    }
}
