import SwiftUI

/// A horizontal stack that becomes vertical at accessibility text sizes.
struct AdaptiveStack<Content: View>: View {
    private let spacing: CGFloat
    private let content: Content
    @Environment(\.dynamicTypeSize) private var size

    init(spacing: CGFloat = 12, @ViewBuilder content: () -> Content) {
        self.spacing = spacing
        self.content = content()
    }

    var body: some View {
        if size.isAccessibilitySize {
            VStack(alignment: .leading, spacing: spacing) { content }
        } else {
            HStack(spacing: spacing) { content }
        }
    }
}

/// A name and its amount, at the two ends of a line.
struct AmountRow: View {
    let name: String
    let amount: String
    var isTotal = false

    var body: some View {
        AdaptiveStack {
            Text(name)
            Spacer()
            Text(amount)
                .monospacedDigit()
        }
        .font(isTotal ? .headline : .body)
        .accessibilityElement(children: .combine)
    }
}
