import AstrolabeDelivery
import AstrolabeTelemetryModel

/// The results as a self-contained HTML page without scripts, fonts or external images.
public struct FleetPage: Sendable {
    let results: FleetResults
    let settings: FleetSettings

    public init(_ results: FleetResults, of settings: FleetSettings) {
        self.results = results
        self.settings = settings
    }

    public var html: String {
        let charts = FleetCharts(results: results)
        let bars = FleetBars(results: results)
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Astrolabe fleet: \(Words.count(settings.devices)) devices, \(settings.hours) hours</title>
            <style>
            \(PageStyle.css)
            </style>
            </head>
            <body>
            \(header)
            <main>
            \(tiles)
            \(card("Collected and delivered", "records an hour, by local time", [
                ("var(--phone)", "collected"), ("var(--backend)", "delivered"), ("var(--incident)", "collector restarting or overloaded"),
            ], charts.flow, style: "wide"))
            \(card("Delay by priority", "share of delivered records that arrived within a delay", Priority.byUrgency.map {
                ($0.color, $0.word)
            }, charts.delays + quantiles))
            \(card("Waiting on the devices", "records, at the end of each \(Words.duration(results.binWidth))", [
                ("var(--accent)", "in queues"), ("var(--phone)", "in journals"),
            ], charts.waiting))
            \(card("Mode", "share of the time of running apps", FleetResults.Activity.allCases.prefix(4).map {
                ($0.color, $0.word)
            }, charts.modes))
            \(card("Dropped, by reason", "one reason for each record", [], bars.drops + "<div class=\"gap\"></div><h2>Bytes by network</h2>" + bars.bytes))
            \(story)
            \(card("All figures", "the table that the command prints", [], table, style: "wide"))
            </main>
            \(footer)
            </body>
            </html>

            """
    }

    private var header: String {
        let verdict =
            results.isSound
            ? "<span class=\"verdict good\">All invariants hold</span>"
            : "<span class=\"verdict bad\">\(Words.count(results.violations)) violations</span>"
        return """
            <header>
            <div><h1>Fleet of \(Words.count(results.devices)) phones over \(settings.hours) hours</h1>
            <p>The SDK's journal, offline queue, delivery and policy, run on simulated devices in virtual time against \
            a collector that decodes every request. Seed \(settings.seed): the same seed gives the same page.</p></div>
            \(verdict)
            </header>
            """
    }

    private var tiles: String {
        let ledger = results.ledger
        let tiles: [(String, String, String, Bool)] = [
            (
                "Created", Words.count(ledger.created),
                "\(Words.count(results.notCollectedCount)) not collected", false,
            ),
            ("Collected", Words.count(results.collected), "\(Words.count(results.starts)) app starts", false),
            (
                "Delivered", Words.count(ledger.delivered),
                Words.percent(ledger.delivered, of: results.collected) + " of collected", false,
            ),
            ("Waiting", Words.count(ledger.pending), "on devices at the end", false),
            (
                "Lost", Words.count(results.lost),
                Words.percent(results.lost, of: results.collected) + " of collected", false,
            ),
            (
                "Order violations", Words.count(results.orderViolations + results.urgencyViolations), "must be 0",
                results.orderViolations + results.urgencyViolations > 0,
            ),
            (
                "Unbalanced ledgers", Words.count(results.unbalancedDevices),
                "of \(Words.count(results.balanceChecks)) looks", results.unbalancedDevices > 0,
            ),
        ]
        return "<section class=\"tiles\">"
            + tiles.map { label, value, note, isBad in
                "<div class=\"tile\(isBad ? " wrong" : "")\"><span>\(label)</span><strong>\(value)</strong><small>\(note)</small></div>"
            }.joined(separator: "\n") + "</section>"
    }

    private var quantiles: String {
        let rows = Priority.byUrgency.compactMap { priority -> String? in
            guard let delays = results.delays[priority], delays.total > 0 else { return nil }
            let cells = [0.5, 0.95, 0.99].compactMap(delays.quantile).map { "<td>\(Words.duration($0))</td>" }
            return "<tr><th><i style=\"background:\(priority.color)\"></i>\(priority.word)</th><td class=\"note\">"
                + "\(priority.examples)</td>\(cells.joined())</tr>"
        }
        return "<table class=\"quantiles\"><tr><th></th><th></th><th>median</th><th>95th</th><th>99th</th></tr>"
            + rows.joined(separator: "\n") + "</table>"
    }

    private var story: String {
        guard let story = results.story else { return "" }
        let legend: [(String, String)] = [
            ("var(--backend)", "Wi-Fi, charging, full"), ("var(--phone)", "cellular, normal"),
            ("var(--high)", "reduced"),
            ("var(--critical)", "minimal, crash"), ("var(--sleep)", "suspended"),
            ("var(--offline)", "offline"),
        ]
        return card(
            "One device: number \(story.device), \(story.model)",
            "a tick for each request, as high as its records are many; the line before it is how long the oldest had waited",
            legend, StoryChart(story: story, duration: results.duration).markup, style: "wide", )
    }

    private var table: String {
        "<div class=\"columns\">"
            + results.figures.filter { !$0.figures.isEmpty }.map { group in
                let rows = group.figures.map { figure in
                    "<tr><th>\(Markup.escape(figure.label))</th><td>\(Markup.escape(figure.value))</td>"
                        + "<td class=\"note\">\(Markup.escape(figure.note))</td></tr>"
                }
                return "<table><caption>\(Markup.escape(group.title))</caption>\(rows.joined(separator: "\n"))</table>"
            }.joined(separator: "\n") + "</div>" + faults
    }

    private var faults: String {
        guard !results.problems.isEmpty else { return "" }
        return "<ul class=\"faults\">"
            + results.problems.map {
                "<li>device \($0.device): \(Markup.escape($0.text))</li>"
            }.joined() + "</ul>"
    }

    private var footer: String {
        """
        <footer>astrolabe fleet --devices \(settings.devices) --hours \(settings.hours) --seed \(settings.seed)</footer>
        """
    }

    private func card(
        _ title: String, _ note: String, _ legend: [(String, String)], _ content: String, style: String = "",
    ) -> String {
        let keys = legend.map { color, name in
            "<span><i style=\"background:\(color)\"></i>\(Markup.escape(name))</span>"
        }
        return """
            <section class="card \(style)">
            <div class="head"><h2>\(Markup.escape(title))</h2><p>\(Markup.escape(note))</p>\
            <div class="legend">\(keys.joined())</div></div>
            \(content)
            </section>
            """
    }
}
