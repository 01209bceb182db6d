import SwiftUI

// An app with a dashboard: cards in a grid, styles of its own, a timer, and preferences from the cards.

struct Metric: Identifiable {
    let id: String
    var value: Double
    let symbol: String
}

final class MetricFeed: ObservableObject {
    private(set) var metrics = [
        Metric(id: "Steps", value: 0.4, symbol: "figure.walk"), Metric(id: "Water", value: 0.9, symbol: "drop.fill"),
    ]

    func advance() {
        objectWillChange.send()
        metrics[0].value += 0.1
    }
}

struct CardCount: PreferenceKey {
    static var defaultValue: Int { 0 }
    static func reduce(value: inout Int, nextValue: () -> Int) { value += nextValue() }
}

struct CardStyle: ButtonStyle {
    func makeBody(configuration: Configuration) -> some View {
        configuration.label
            .padding()
            .frame(maxWidth: .infinity)
            .background(RoundedRectangle(cornerRadius: 12).fill(Color.secondary.opacity(0.1)))
            .opacity(configuration.isPressed ? 0.5 : 1)
            .scaleEffect(configuration.isPressed ? 0.95 : 1)
    }
}

struct TopIconLabelStyle: LabelStyle {
    func makeBody(configuration: Configuration) -> some View {
        VStack(spacing: 4) {
            configuration.icon.font(.title)
            configuration.title
        }
    }
}

struct DashboardView: View {
    @StateObject private var feed = MetricFeed()
    @State private var selected: String?
    @State private var cards = 0
    @State private var isLarge = false
    private let ticks: AnyPublisher<Date, Never>
    private let columns = [GridItem(.adaptive(minimum: 150), spacing: 12)]

    init(ticks: AnyPublisher<Date, Never>) {
        self.ticks = ticks
    }

    var body: some View {
        ScrollView {
            Text("\(cards) cards, \(Text(selected ?? "none").bold()) selected").font(.headline)
            LazyVGrid(columns: columns, spacing: 12) {
                ForEach(feed.metrics) { metric in
                    Button {
                        withAnimation(.easeInOut(duration: 0.2)) {
                            selected = metric.id
                            isLarge.toggle()
                        }
                    } label: {
                        VStack {
                            Label(metric.id, systemImage: metric.symbol)
                            ProgressView(value: metric.value)
                            Text(metric.value, format: .percent.precision(.fractionLength(0)))
                        }
                    }
                    .accessibilityIdentifier(metric.id)
                    .preference(key: CardCount.self, value: 1)
                }
            }
            .buttonStyle(CardStyle())
            .labelStyle(TopIconLabelStyle())
            Circle().frame(width: isLarge ? 40 : 20, height: isLarge ? 40 : 20)
        }
        .onPreferenceChange(CardCount.self) { cards = $0 }
        .onReceive(ticks) { _ in feed.advance() }
    }
}
