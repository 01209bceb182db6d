import AstrolabeSwiftUI
import ShopAPI
import SwiftUI

/// The list of currencies.
struct CurrencyView: View {
    @ObservedObject var viewModel: CurrencyViewModel
    @Environment(\.dismiss) private var dismiss
    @Environment(\.locale) private var locale

    var body: some View {
        TracedView("Currency", id: "currency") { content }
    }

    private var content: some View {
        NavigationStack {
            List {
                if let message = viewModel.errorMessage {
                    Section {
                        ErrorBanner(message: message)
                        ActionButton("Try Again", id: "currencies-retry") { await viewModel.loadCurrencies() }
                    }
                }
                Section {
                    ForEach(viewModel.currencies) { currency in
                        row(currency)
                    }
                }
                if viewModel.isLoading { LoadingView(message: "Loading currencies…") }
            }
            .navigationTitle("Currency")
            .inlineTitle()
            .toolbar {
                ToolbarItem(placement: .confirmationAction) {
                    TracedButton("Done", id: "currency-done", name: "Done") { dismiss() }
                }
            }
        }
    }

    private func row(_ currency: Currency) -> some View {
        ActionButton("Currency", id: "currency-\(currency.code)") {
            dismiss()
            await viewModel.select(currency)
        } label: {
            HStack {
                Text(currency.name(in: locale))
                Spacer()
                Text(verbatim: currency.code)
                    .foregroundStyle(.secondary)
                if currency == viewModel.selected {
                    Image(systemName: "checkmark")
                        .foregroundColor(.accentColor)
                }
            }
            .foregroundColor(.primary)
        }
        .accessibilityAddTraits(currency == viewModel.selected ? .isSelected : [])
    }
}

extension Currency {
    func name(in locale: Locale) -> String { locale.localizedString(forCurrencyCode: code) ?? name }
}
