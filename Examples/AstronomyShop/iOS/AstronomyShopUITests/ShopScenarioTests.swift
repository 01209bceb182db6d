import XCTest

/// The visible half of the scenarios in `Examples/AstronomyShop/Scenarios`, on a real iPhone or its simulator.
///
/// The shop's backend must run at the address in `honeycomb.plist`. What telemetry arrives is checked by
/// `./astrolabe simulate`, which runs the same scenarios on the simulated phone.
@MainActor
final class ShopScenarioTests: XCTestCase {
    /// A new value addresses the same app: it holds no state.
    private var shop: Shop { Shop() }

    override func setUp() async throws {
        continueAfterFailure = false
        try shop.open()
    }

    /// `checkout.yaml`
    func testPurchaseWithARefusedCardThenAGoodOneEndsInAnOrder() {
        shop.tap("product-LS4PSXUNUM")
        shop.tap("add-to-cart")
        shop.wait(for: "quantity-in-cart", text: "1")
        shop.back()
        shop.tap("cart")
        shop.tap("checkout")
        shop.wait(for: "shipping-cost", text: "$8.99")
        shop.tap("use-refused-card")
        shop.tap("place-order")
        shop.wait(for: "checkout-error")
        shop.tap("use-accepted-card")
        shop.tap("place-order")
        shop.wait(for: "order-total", text: "$66.07")
        shop.tap("continue-shopping")
        shop.wait(for: "cart-empty")
    }

    /// `product-browsing.yaml`
    func testBrowsingShowsPricesInTheChosenCurrency() {
        shop.tap("product-0PUK6V6EV0")
        shop.wait(for: "product-price", text: "$175.00")
        shop.back()
        shop.tap("product-LS4PSXUNUM")
        shop.wait(for: "product-price", text: "$57.08")
        shop.wait(for: "advertisements")
        shop.back()
        shop.tap("currency")
        shop.tap("currency-EUR")
        shop.wait(for: "product-LS4PSXUNUM", text: "€50.49")
        shop.tap("currency")
        shop.tap("currency-USD")
        shop.wait(for: "product-LS4PSXUNUM", text: "$57.08")
    }

    /// `shopping-cart.yaml`
    func testCartKeepsItsContentsAndDemonstrationsAskFirst() {
        shop.tap("product-OLJCESPC7Z")
        shop.wait(for: "product-price")
        shop.increment("product-quantity", times: 7)
        shop.tap("add-to-cart")
        shop.tap("Send the Payload")
        shop.wait(for: "quantity-in-cart", text: "8")
        shop.back()
        shop.tap("cart")
        shop.wait(for: "cart-total", text: "$815.68")
        shop.increment("quantity-OLJCESPC7Z", times: 1)
        shop.tap("Not Now")
        shop.tap("empty-cart")
        shop.tap("Remove Everything")
        shop.wait(for: "cart-empty")
    }

    /// `crash.yaml`
    func testTenExplorascopesCrashTheAppAndItLaunchesAgain() {
        shop.tap("product-OLJCESPC7Z")
        shop.wait(for: "product-price")
        shop.increment("product-quantity", times: 9)
        shop.tap("add-to-cart")
        expectCrash()
        shop.tap("Crash the App")
        XCTAssertTrue(shop.application.wait(for: .notRunning, timeout: Shop.timeout), "the app is still running")
        shop.application.launch()
        shop.wait(for: "go-shopping")
    }

    /// Lets XCTest's own report of a crash pass, which it makes sooner or later, or not at all. Other failures count.
    ///
    /// The matcher is called on any thread, so it is not made on the main actor.
    private nonisolated func expectCrash() {
        let options = XCTExpectedFailure.Options()
        options.isStrict = false
        options.issueMatcher = { issue in
            ["crashed", "background assertion"].contains { issue.compactDescription.contains($0) }
        }
        XCTExpectFailure("the demonstration crashes the app", options: options)
    }
}
