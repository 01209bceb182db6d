/// axe-core, which checks a page by rules that others have written.
package struct Axe: Sendable {
    private let source: String

    /// - Parameter source: The script of axe-core.
    package init(source: String) {
        self.source = source
    }

    /// Returns what breaks a rule, each as the rule, the element and what would mend it.
    ///
    /// All rules are on that axe-core applies by default: those of WCAG in levels A and AA, and best practices.
    package func violations(in browser: WebDriver) async throws -> [String] {
        if try await browser.run("return Boolean(window.axe)").bool != true { try await browser.run(source) }
        return try await browser.runAsync(
            """
            axe.run(document, { resultTypes: ['violations'] }).then(({ passes, violations }) => {
              const lines = violations.flatMap((rule) =>
                rule.nodes.map((it) => `${rule.id}: ${it.target.join(' ')}: ${it.failureSummary}`));
              done(passes.length > 10 ? lines : ['axe-core has found too little to check', ...lines]);
            }, (error) => done([`axe-core has failed: ${error}`]));
            """
        ).elements.compactMap(\.text)
    }
}
