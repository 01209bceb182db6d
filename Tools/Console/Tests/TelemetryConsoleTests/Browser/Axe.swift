import BrowserKit
import Testing

/// axe-core, from a package that `Scripts/requirements.txt` names.
struct Axe {
    private let source: String

    init() async throws {
        source = try await ConformanceScript.run("axe.py", in: "page-conformance")
        try #require(source.contains("axe"))
    }

    /// Returns what breaks a rule, each as the rule, the element and what would mend it.
    ///
    /// All rules are on that axe-core applies by default: those of WCAG in levels A and AA, and best practices.
    func violations(in browser: WebDriver) async throws -> [String] {
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
