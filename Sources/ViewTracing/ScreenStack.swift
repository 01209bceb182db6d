/// The visible screens, and which of them is current.
///
/// The current screen is the one created last: content of a screen, sheets it presents and pages it opens are created
/// after it. Systems report appearances and disappearances in no guaranteed order, so nothing here depends on one. For
/// example, a returning page may appear before the one above it has disappeared.
struct ScreenStack: Equatable {
    struct Screen: Equatable {
        let name: String
        let id: String
    }

    /// Screens by the number of their view; later views have higher numbers.
    private var visible: [Int: Screen] = [:]

    /// `nil` if no traced screen is visible.
    var current: Screen? { visible.max { $0.key < $1.key }?.value }

    mutating func show(_ screen: Screen, number: Int) { visible[number] = screen }
    mutating func hide(_ number: Int) { visible[number] = nil }
}
