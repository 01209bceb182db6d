/// The screens that are on the display, and which of them the person looks at.
///
/// That is the innermost of those that lie within one another, and of several the one that came last: a sheet before
/// the screen that presents it, a pushed page before the page that is about to be covered. Systems tell of appearances
/// and disappearances in no promised order, so nothing here depends on one.
struct ScreenStack: Equatable {
    struct Screen: Equatable {
        let name: String
        let id: String
    }

    private struct Entry: Equatable {
        let key: ObjectIdentifier
        let depth: Int
        let screen: Screen
    }

    /// In the order in which they appeared.
    private var entries: [Entry] = []

    /// `nil` where no traced screen is on the display.
    var current: Screen? {
        entries.reduce(nil) { (best: Entry?, entry) in
            if let best, best.depth > entry.depth { best } else { entry }
        }?.screen
    }

    /// - Parameter depth: How many screens this one lies within.
    mutating func show(_ screen: Screen, key: ObjectIdentifier, depth: Int) {
        hide(key)
        entries.append(Entry(key: key, depth: depth, screen: screen))
    }

    mutating func hide(_ key: ObjectIdentifier) {
        entries.removeAll { $0.key == key }
    }
}
