import XCTest

/// The shop as a person uses it, by the accessibility identifiers that the scenarios use, too.
@MainActor
struct Shop {
    /// Seconds that an element may take to appear. A simulator on a busy machine is slow.
    static let timeout = 20.0

    let application = XCUIApplication()

    func launch() {
        application.launch()
    }

    func tap(_ id: String, file: StaticString = #filePath, line: UInt = #line) {
        element(id, file: file, line: line).tap()
    }

    func back() {
        application.navigationBars.buttons.element(boundBy: 0).tap()
    }

    /// Replaces the text of a field.
    func type(_ text: String, into id: String, file: StaticString = #filePath, line: UInt = #line) {
        let field = element(id, file: file, line: line)
        field.tap()
        let length = (field.value as? String)?.count ?? 0
        field.typeText(String(repeating: XCUIKeyboardKey.delete.rawValue, count: length) + text)
    }

    func increment(_ id: String, times: Int, file: StaticString = #filePath, line: UInt = #line) {
        let stepper = element(id, file: file, line: line)
        // The first button of a stepper decrements.
        for _ in 0..<times { stepper.buttons.element(boundBy: 1).tap() }
    }

    /// Waits for an element, and for a text in it if one is given.
    func wait(for id: String, text: String? = nil, file: StaticString = #filePath, line: UInt = #line) {
        let element = element(id, file: file, line: line)
        guard let text else { return }
        let predicate = NSPredicate(format: "label CONTAINS %@", text)
        let expectation = XCTNSPredicateExpectation(predicate: predicate, object: element)
        let result = XCTWaiter.wait(for: [expectation], timeout: Self.timeout)
        let message = "expected \"\(text)\" in \(id), found \"\(element.label)\""
        XCTAssertEqual(result, .completed, message, file: file, line: line)
    }

    /// Waits for a text anywhere on the screen.
    func wait(forText text: String, file: StaticString = #filePath, line: UInt = #line) {
        let match = application.staticTexts.matching(NSPredicate(format: "label CONTAINS %@", text)).firstMatch
        XCTAssertTrue(match.waitForExistence(timeout: Self.timeout), "no text \"\(text)\"", file: file, line: line)
    }

    /// Removes what an earlier test left in the cart, and returns to the first screen.
    func emptyCart() {
        tap("go-shopping")
        tap("cart")
        if !application.descendants(matching: .any)["cart-empty"].waitForExistence(timeout: 3) {
            tap("empty-cart")
            tap("empty-cart-confirm")
            wait(for: "cart-empty")
        }
        application.terminate()
        application.launch()
    }

    private func element(_ id: String, file: StaticString, line: UInt) -> XCUIElement {
        let element = application.descendants(matching: .any)[id].firstMatch
        XCTAssertTrue(element.waitForExistence(timeout: Self.timeout), "no element \(id)", file: file, line: line)
        return element
    }
}
