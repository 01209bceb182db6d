import ShopAPI
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
    let name: LocalizedStringKey
    /// `nil` while it is not known.
    let amount: Money?
    var isTotal = false

    var body: some View {
        AdaptiveStack {
            Text(name)
            Spacer()
            Text(amount: amount)
                .monospacedDigit()
        }
        .font(isTotal ? .headline : .body)
        .accessibilityElement(children: .combine)
    }
}

/// A name and an identifier below it, which is too long for the same line.
struct IdentifierRow: View {
    let name: LocalizedStringKey
    let identifier: String

    var body: some View {
        VStack(alignment: .leading, spacing: 2) {
            Text(name)
                .font(.subheadline)
                .foregroundStyle(.secondary)
            Text(verbatim: identifier)
                .font(.system(.footnote, design: .monospaced))
        }
        .accessibilityElement(children: .combine)
    }
}
