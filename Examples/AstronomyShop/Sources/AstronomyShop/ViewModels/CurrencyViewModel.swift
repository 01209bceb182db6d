import Astrolabe
import Combine
import ShopAPI

/// Whoever shows amounts, and fetches them anew when the currency changes.
@MainActor
protocol CurrencyDependent: AnyObject {
    func currencyDidChange() async
}

/// Which currency amounts are shown in, and which there are.
@MainActor
final class CurrencyViewModel: ObservableObject {
    /// What the shop offers; until it has said so, the selected one alone.
    @Published private(set) var currencies: [Currency]
    /// Kept over launches.
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

    /// The code that requests name.
    var code: String { selected.code }

    /// Tells `dependent` of each change, in the order of registration, for as long as it lives.
    func notify(_ dependent: any CurrencyDependent) {
        dependents.removeAll { $0.value == nil }
        dependents.append(Dependent(value: dependent))
    }

    /// Asks the shop which currencies it offers; those that the app cannot write are left out.
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

    /// Shows amounts in another currency, and returns when everything on the screens has been fetched in it.
    func select(_ currency: Currency) async {
        guard currency != selected else { return }
        let attributes: Attributes = [
            DemoAttribute.currencySource: .string(code), DemoAttribute.currencyCode: .string(currency.code),
        ]
        selected = currency
        preferences.save(Preferences.Values(currencyCode: currency.code))
        await telemetry.span("CurrencyViewModel.selectCurrency", attributes: attributes) { _ in
            for dependent in dependents { await dependent.value?.currencyDidChange() }
        }
    }
}
