package import BrowserKit

/// Someone who gives a step of the demo: clicks what Docs/Guide/Demo.md names, in its order, and counts.
package struct DemoPresenter {
    package struct Astray: Error, CustomStringConvertible {
        package let description: String
    }

    private let step: DemoPage.Step
    private let didClick: @Sendable () async throws -> Void
    private var made = 0

    /// - Parameter didClick: Called after each click.
    package init(_ step: DemoPage.Step, didClick: @escaping @Sendable () async throws -> Void) {
        self.step = step
        self.didClick = didClick
    }

    /// Clicks what the page names next, up to this name.
    package mutating func click(through last: String, in browser: WebDriver) async throws {
        guard step.clicks[made...].contains(last) else { throw astray("the page names no more \(last)") }
        var name = ""
        while name != last {
            name = step.clicks[made]
            // An element that moves takes no click.
            try await browser.wait(until: "!document.querySelector('.app :is(.moving, .entering, .leaving)')")
            try await browser.click("a, button, [role=radio]", where: Self.isNamed(name))
            try await count()
        }
    }

    /// Chooses from a list: the page names the list, and then one of its choices. Each is a click.
    package mutating func choose(_ choice: String, in browser: WebDriver) async throws {
        guard step.clicks[made...].dropFirst().first == choice else { throw astray("the page does not name \(choice)") }
        // A list of the system's is no part of the page, so no click reaches its choices.
        let list = "document.querySelector('select[aria-label=\"\(step.clicks[made])\"]')"
        let option = "[...\(list).options].find((it) => it.text === '\(choice)')"
        try await browser.wait(until: option)
        try await browser.run("\(list).value = \(option).value; \(list).dispatchEvent(new Event('change'));")
        for _ in 0..<2 { try await count() }
    }

    /// Requires that each click was made that the page names, and that its heading counts them.
    package func finish() throws {
        guard made == step.clicks.count else { throw astray("not clicked: \(step.clicks[made...])") }
        guard made == step.clickCount else { throw astray("\(made) clicks, and the heading says \(step.clickCount)") }
    }

    private mutating func count() async throws {
        made += 1
        try await didClick()
    }

    private func astray(_ what: String) -> Astray { Astray(description: "Demo.md, \(step.title): \(what)") }

    /// A condition for an element with this name: one of its lines, or what it is called without its value.
    ///
    /// The name of a page of the console is that in the sidebar, and not a filter such as *Health*.
    private static func isNamed(_ name: String) -> String {
        let name = ["+": "Increment"][name] ?? name
        return """
            ((isNamed) => isNamed(element) && (element.closest('nav')
              || ![...document.querySelectorAll('nav a')].some(isNamed)))((element) => !element.closest('.covered')
              && [...element.innerText.split('\\n'), element.ariaLabel ?? '', (element.ariaLabel ?? '').split(', ')[0]]
                .some((it) => it.trim() === "\(name)"))
            """
    }
}
