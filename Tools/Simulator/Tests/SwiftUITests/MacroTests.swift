import SwiftUI
import Testing
import ViewTree

extension EnvironmentValues {
    @Entry fileprivate var unit: String? = "km"
    @Entry fileprivate var steps = 3
    @Entry fileprivate var note: String?  // without a value
    @Entry fileprivate var write: (Int) -> String = { String($0) }
}

private struct Distance: View {
    @Environment(\.unit) private var unit
    @Environment(\.steps) private var steps
    @Environment(\.note) private var note
    @Environment(\.write) private var write

    var body: some View {
        Text("\(write(steps)) \(unit ?? "no unit")\(note ?? "")")
    }
}

// The compiler runs the plugin for these, so this file compiles only if the macros work.
#Preview {
    Distance()
}

#Preview("Wide", traits: .landscapeLeft, .sizeThatFitsLayout) {
    @Previewable @State var steps = 4
    Distance().environment(\.steps, steps)
}

@MainActor
@Suite struct `Macros of SwiftUI` {
    @Test func `add values with a default to the environment`() {
        let views = VStack {
            Distance()
            Distance().environment(\.steps, 7).environment(\.unit, nil).environment(\.note, "!")
        }
        #expect(quiet(views).tree.root.texts == ["3 km", "7 no unit!"])
    }
}
