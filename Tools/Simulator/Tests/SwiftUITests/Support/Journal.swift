import Combine
import SwiftUI
import Testing

/// The events that happened, in their order.
@MainActor
final class Journal {
    private(set) var lines: [String] = []

    func note(_ line: String) { lines.append(line) }

    func take() -> [String] {
        defer { lines = [] }
        return lines
    }
}

/// An object that views observe.
@MainActor
final class Model: ObservableObject {
    @Published var count = 0
    @Published var name = ""
    @Published var isOn = false
}

/// Lets what is waiting for the main actor have its turn.
@MainActor
func turn() async {
    await Task { @MainActor in }.value
    await Task { @MainActor in }.value
}

/// A host that makes no noise of its issues; tests read them. Nodes with one id are a failure.
@MainActor
func quiet<Root: View>(_ root: Root, clock: any FrameClock = LiveFrameClock()) -> ViewHost {
    ViewHost(root, clock: clock) { issue in
        if case .repeatedNode = issue { Issue.record("\(issue)") }
    }
}

/// Returns when the task is cancelled.
func untilCancelled() async {
    let (stream, continuation) = AsyncStream<Never>.makeStream()
    for await _ in stream {}
    continuation.finish()
}
