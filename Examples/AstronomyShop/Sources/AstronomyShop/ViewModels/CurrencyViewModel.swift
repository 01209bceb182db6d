import Astrolabe
import Combine
import ShopAPI

/// A view model that shows amounts, and reloads them when the currency changes.
@MainActor
protocol CurrencyDependent: AnyObject {
    func currencyDidChange() async
}

/// The model of the selected currency and the available ones.
@MainActor
final class CurrencyViewModel: ObservableObject {
    /// The currencies that the shop offers; until they are loaded, only the selected one.
    @Published private(set) var currencies: [Currency]
    /// The selected currency, which is kept over launches.
    @Published private(set) var selected: Currency
    @Published private(set) var isLoading = false
    @Published private(set) var errorMessage: String?

    private let service: CurrencyAPIService
    private let preferences: Preferences
    private let telemetry: ShopTelemetry
    private var dependents: [Dependent] = []

    private struct Dependent {
        weak var value: (any CurrencyDependent)?
    }

    init(service: CurrencyAPIService, preferences: Preferences, telemetry: ShopTelemetry) {
        self.service = service
        self.preferences = preferences
        self.telemetry = telemetry
        let kept = preferences.load().currencyCode.flatMap(Currency.init(code:)) ?? .usDollar
        selected = kept
        currencies = [kept]
    }

    /// The code for requests.
    var code: String { selected.code }

    /// Registers a view model for changes, which are reported in the order of registration. The reference is weak.
    func notify(_ dependent: any CurrencyDependent) {
        dependents.removeAll { $0.value == nil }
        dependents.append(Dependent(value: dependent))
    }

    /// Loads the currencies that the shop offers, without those that the app cannot format.
    func loadCurrencies() async {
        isLoading = true
        defer { isLoading = false }
        do {
            let codes = try await telemetry.span("CurrencyViewModel.loadCurrencies") { _ in
                try await service.fetchCurrencies()
            }
            currencies = codes.compactMap(Currency.init(code:)).sorted { $0.code < $1.code }
            errorMessage = nil
            if !currencies.contains(selected) { await select(.usDollar) }
        } catch {
            if !error.isCancellation { errorMessage = error.messageForPerson }
        }
    }

    /// Selects another currency, and waits until all screens have reloaded.
    func select(_ currency: Currency) async {
        guard currency != selected else { return }
        let attributes: Attributes = [
            DemoAttribute.currencySource: code, DemoAttribute.currencyCode: currency.code,
        ]
        selected = currency
        preferences.save(Preferences.Values(currencyCode: currency.code))
        await telemetry.span("CurrencyViewModel.selectCurrency", attributes: attributes) { _ in
            for dependent in dependents { await dependent.value?.currencyDidChange() }
        }
    }
}
