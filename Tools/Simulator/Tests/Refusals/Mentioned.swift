import Foundation
import SwiftUI

// What the forms in Forms.txt mention, beside the names that they try.

struct Person: Identifiable {
    let id = 1
    var name = "Ada"
    var children: [Person]?
}

struct BoundsKey: PreferenceKey {
    static var defaultValue: [Anchor<CGRect>] { [] }
    static func reduce(value: inout [Anchor<CGRect>], nextValue: () -> [Anchor<CGRect>]) { value += nextValue() }
}

struct Document: FileDocument {}

struct Hiding: ViewModifier {
    func body(content: Content) -> some View { content }
}

final class Delegate {
    init() {}
}

@MainActor
protocol Mentioning {}

extension Mentioning {
    var people: [Person] { mentioned().people }
    var space: Namespace.ID { mentioned().space }
    var focus: _AccessibilityFocusBinding { mentioned().focus }
}

@MainActor
func mentioned() -> (people: [Person], space: Namespace.ID, focus: _AccessibilityFocusBinding) {
    ([Person()], Namespace().wrappedValue, _AccessibilityFocusBinding())
}
