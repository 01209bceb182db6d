import SwiftUI

/// A screen without content, with the reason.
struct MessageView<Actions: View>: View {
    let symbol: String
    let title: LocalizedStringKey
    let message: Text
    let actions: Actions

    init(symbol: String, title: LocalizedStringKey, message: Text, @ViewBuilder actions: () -> Actions) {
        self.symbol = symbol
        self.title = title
        self.message = message
        self.actions = actions()
    }

    var body: some View {
        VStack(spacing: 12) {
            Image(systemName: symbol)
                .font(.largeTitle)
                .foregroundStyle(.secondary)
                .accessibilityHidden(true)
            Text(title)
                .font(.title2)
                .bold()
                .multilineTextAlignment(.center)
                .accessibilityAddTraits(.isHeader)
            message
                .font(.body)
                .foregroundStyle(.secondary)
                .multilineTextAlignment(.center)
            actions
        }
        .padding(32)
        .frame(maxWidth: .infinity)
    }
}

extension MessageView where Actions == EmptyView {
    init(symbol: String, title: LocalizedStringKey, message: Text) {
        self.init(symbol: symbol, title: title, message: message) { EmptyView() }
    }
}

/// A screen whose content could not be loaded.
struct LoadFailureView: View {
    let message: String
    /// The accessibility identifier of the button.
    let id: String
    let retry: @MainActor () async -> Void

    var body: some View {
        MessageView(symbol: "wifi.exclamationmark", title: "Something went wrong", message: Text(message)) {
            ActionButton("Try Again", id: id, action: retry)
                .buttonStyle(.borderedProminent)
        }
    }
}

/// A message above content that may be out of date.
struct ErrorBanner: View {
    let message: String

    var body: some View {
        Label {
            Text(message)
        } icon: {
            Image(systemName: "exclamationmark.triangle.fill")
                .foregroundColor(.orange)
        }
        .font(.footnote)
        .accessibilityElement(children: .combine)
        .accessibilityIdentifier("error-banner")
    }
}

/// A spinner with a message.
struct LoadingView: View {
    let message: LocalizedStringKey

    var body: some View {
        ProgressView { Text(message) }
            .frame(maxWidth: .infinity)
            .padding(40)
            .accessibilityIdentifier("loading")
    }
}
