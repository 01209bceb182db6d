/// A version of the app, and when its phones get it.
enum AppRelease: String, Sendable {
    case old = "2.0.0"
    case good = "2.1.0"
    /// Its checkout fails in one currency on one system.
    case bad = "2.2.0"

    var buildNumber: String {
        switch self {
        case .old: "41"
        case .good: "45"
        case .bad: "52"
        }
    }

    /// The build ID of the executable, 20 bytes in hexadecimal.
    var buildID: String {
        switch self {
        case .old: "2f0c51d7a4e96b3380d1c7be5a92e46f10738a00"
        case .good: "7be04c19d25f83a66e017c94b8d3250fae916b10"
        case .bad: "c93d8e5204a71f6bb85e30d946fc12a70d4e7b20"
        }
    }

    /// - Parameters:
    ///   - rank: 0..<1, the phone's place in the staged rollout.
    ///   - hours: The hours before the end of the history.
    init(rank: Double, hoursBeforeEnd hours: Double) {
        let rollout =
            switch hours {
            case 32...: 0.0
            case 26..<32: 0.2
            case 18..<26: 0.55
            default: 0.8
            }
        self = rank < rollout ? .bad : rank < 0.88 ? .good : .old
    }

    /// Returns true if an order fails: the defect that a reader of the history is to find.
    func breaksCheckout(currency: String, system: String) -> Bool {
        self == .bad && currency == "CHF" && system == "26.1"
    }
}
