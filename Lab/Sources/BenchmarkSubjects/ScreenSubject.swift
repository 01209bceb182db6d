#if os(Linux)
public import Astrolabe
import AstrolabeSwiftUI
import Combine
import ViewTree
import SwiftUI

/// A screen of a list with 20 rows, all of which change whenever it is evaluated.
@MainActor
public final class ScreenSubject {
    private let model = ScreenModel()
    private let host: ViewHost

    /// - Parameter telemetry: What the screen is traced with; `nil` for the same screen without a word of tracing.
    public init(tracedBy telemetry: Telemetry?) {
        if let telemetry {
            host = ViewHost(TracedScreen(model: model).environment(\.viewTracer, telemetry.views))
        } else {
            host = ViewHost(PlainScreen(model: model))
        }
    }

    /// Changes what the screen shows, and brings it up to date.
    public func evaluate() {
        model.count += 1
        host.update()
    }

    /// The text of the first row, by which a caller sees that there was something to do.
    public var firstRow: String { host.tree.root.texts.first ?? "" }
}

private final class ScreenModel: ObservableObject {
    @Published var count = 0
}

private struct PlainScreen: View {
    @ObservedObject var model: ScreenModel

    var body: some View {
        ScreenContent(count: model.count).rows
    }
}

private struct TracedScreen: View {
    @ObservedObject var model: ScreenModel

    var body: some View {
        TracedView("Screen") {
            ScreenContent(count: model.count).rows
        }
    }
}

@MainActor
private struct ScreenContent {
    let count: Int

    var rows: some View {
        List {
            ForEach(0..<20, id: \.self) { row in
                ScreenRow(title: "Row \(row)", detail: "\(count + row)")
            }
        }
    }
}

private struct ScreenRow: View {
    let title: String
    let detail: String

    var body: some View {
        HStack(spacing: 12) {
            Text(title)
                .font(.headline)
            Spacer()
            Text(detail)
                .foregroundStyle(.secondary)
        }
        .accessibilityElement(children: .combine)
    }
}
#endif
