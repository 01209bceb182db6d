import XCTest

/// The shop as a person uses it, by the accessibility identifiers that the scenarios use, too.
///
/// Buttons of alerts and dialogs are found by their titles: not every iOS keeps their identifiers.
@MainActor
struct Shop {
    /// Seconds that an element may take to appear. A simulator on a busy machine is slow.
    static let timeout = 20.0

    let application = XCUIApplication()

    /// Launches the app and shows the products, with an empty cart.
    ///
    /// - Throws: `NoBackend` if no products arrive within a minute.
    func open() throws {
        application.launch()
        tap("go-shopping")
        try waitForProducts()
        tap("cart")
        let isLoaded = NSPredicate(format: "identifier == 'cart-empty' OR identifier == 'empty-cart'")
        let loaded = application.descendants(matching: .any).matching(isLoaded).firstMatch
        XCTAssertTrue(loaded.waitForExistence(timeout: Self.timeout), "the cart does not load")
        if element("empty-cart").exists {
            tap("empty-cart")
            tap("Remove Everything")
            wait(for: "cart-empty")
        }
        back()
    }

    func tap(_ id: String, file: StaticString = #filePath, line: UInt = #line) {
        reveal(id, file: file, line: line).tap()
    }

    func back() {
        application.navigationBars.buttons.element(boundBy: 0).tap()
    }

    func increment(_ id: String, times: Int, file: StaticString = #filePath, line: UInt = #line) {
        _ = reveal(id, file: file, line: line)
        // The first button of a stepper decrements.
        let button = application.steppers.matching(identifier: id).firstMatch.buttons.element(boundBy: 1)
        for _ in 0..<times { button.tap() }
    }

    /// Waits for an element, and for a text in it if one is given.
    func wait(for id: String, text: String? = nil, file: StaticString = #filePath, line: UInt = #line) {
        let found = element(id)
        swipe { found.waitForExistence(timeout: 2) }
        XCTAssertTrue(found.exists, "no element \(id)", file: file, line: line)
        guard let text else { return }
        let match = elements(id).matching(NSPredicate(format: "label CONTAINS %@", text)).firstMatch
        let hasText = match.waitForExistence(timeout: Self.timeout)
        XCTAssertTrue(hasText, "expected \"\(text)\" in \(id), found \"\(found.label)\"", file: file, line: line)
    }

    /// Returns an element once it can be tapped.
    private func reveal(_ id: String, file: StaticString, line: UInt) -> XCUIElement {
        let found = element(id)
        swipe { found.waitForExistence(timeout: 2) && found.isHittable }
        XCTAssertTrue(found.exists && found.isHittable, "no element \(id) that can be tapped", file: file, line: line)
        return found
    }

    /// Swipes up until a condition holds. A list makes a row when it comes into sight, and a form hides what is below.
    /// Nothing swipes down, which would close a sheet; therefore the tests go through each screen from top to bottom.
    private func swipe(until isDone: () -> Bool) {
        for _ in 0..<10 {
            if isDone() { return }
            application.swipeUp()
        }
    }

    private func waitForProducts() throws {
        let end = Date() + 60
        while !element("product-list").waitForExistence(timeout: 2) {
            guard Date() < end else { throw NoBackend() }
            // The app shows the button when a request has failed.
            let retry = element("products-retry")
            if retry.exists { retry.tap() }
        }
    }

    private func element(_ id: String) -> XCUIElement { elements(id).firstMatch }

    private func elements(_ id: String) -> XCUIElementQuery {
        application.descendants(matching: .any).matching(identifier: id)
    }
}

/// The app did not get the products.
struct NoBackend: LocalizedError, CustomStringConvertible {
    var description: String {
        """
        The app received no products within 60 s. Expected the shop's backend at API_ENDPOINT of honeycomb.plist. \
        Start it with ./astrolabe shop-server.
        """
    }

    var errorDescription: String? { description }
}
