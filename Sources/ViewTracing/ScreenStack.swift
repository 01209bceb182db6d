/// The screens that are on the display, and which of them the person looks at.
///
/// That is the one that was made last: what lies within a screen is made after it, as are the sheet that it presents
/// and the page that it opens. Systems tell of appearances and disappearances in no promised order (a page that comes
/// back may appear before the one above it has gone), so nothing here depends on one.
struct ScreenStack: Equatable {
    struct Screen: Equatable {
        let name: String
        let id: String
    }

    /// By the number of the view that shows it; later views have higher numbers.
    private var visible: [Int: Screen] = [:]

    /// `nil` where no traced screen is on the display.
    var current: Screen? { visible.max { $0.key < $1.key }?.value }

    mutating func show(_ screen: Screen, number: Int) { visible[number] = screen }
    mutating func hide(_ number: Int) { visible[number] = nil }
}
