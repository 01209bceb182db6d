import AstrolabeTelemetryModel
import Foundation

/// The charts over time, and the distribution of delays.
struct FleetCharts {
    let results: FleetResults

    private var times: [Double] {
        results.bins.indices.map { (Double($0) + 0.5) * results.binWidth }
    }

    private var span: ClosedRange<Double> { 0...max(results.duration, 1) }

    private func incidents(_ plot: inout Plot) {
        for incident in results.outages.incidents {
            let (from, to) = (plot.x(incident.start), plot.x(min(incident.end, results.duration)))
            let words = incident.status == 503 ? "restarting: HTTP 503" : "overloaded: HTTP \(incident.status)"
            plot.drawing.box(
                from, plot.top, max(to - from, 2), plot.bottom - plot.top, "incident",
                tip: "The collector is \(words) for \(Words.duration(incident.end - incident.start))", )
        }
    }

    /// The records collected and delivered per hour.
    var flow: String {
        let perHour = 3_600 / results.binWidth
        let made = results.bins.map { Double($0.kept) * perHour }
        let arrived = results.bins.map { Double($0.arrived) * perHour }
        let most = Plot.ceiling(max(made.max() ?? 1, arrived.max() ?? 1))
        var plot = Plot(
            width: 1_240, height: 250, title: "Records collected and delivered, by time of day", x: span, y: 0...most,
            left: 52, )
        incidents(&plot)
        plot.amounts(Self.short)
        plot.hours(results.duration)
        let top = zip(times, made).map { plot.point($0, $1) }
        let base = times.map { plot.point($0, 0) }
        plot.drawing.area(top, base, "soft", fill: "var(--phone)")
        plot.drawing.curve(top, "thin", stroke: "var(--phone)")
        plot.drawing.curve(zip(times, arrived).map { plot.point($0, $1) }, "stroke", stroke: "var(--backend)")
        return plot.drawing.markup
    }

    /// The share of records that arrived within a delay, by priority.
    var delays: String {
        let x = log10(0.02)...log10(86_400)
        var plot = Plot(
            width: 610, height: 290, title: "Delay from a record's end to its arrival, by priority", x: x, y: 0...1,
            rightMargin: 16, )
        for share in [0, 0.25, 0.5, 0.75, 0.95, 1] {
            plot.drawing.line(
                Drawing.Point(x: plot.left, y: plot.y(share)), Drawing.Point(x: plot.right, y: plot.y(share)),
                share == 0 ? "axis" : share == 0.95 ? "grid dashed" : "grid", )
            if share != 1 {
                plot.drawing.text(plot.left - 7, plot.y(share) + 3.5, "\(Int(share * 100)) %", "tick end")
            }
        }
        let marks: [(Double, String)] = [
            (0.1, "0.1 s"), (1, "1 s"), (10, "10 s"), (60, "1 min"), (600, "10 min"), (3_600, "1 h"), (28_800, "8 h"),
        ]
        for (seconds, label) in marks {
            let place = plot.x(log10(seconds))
            plot.drawing.line(
                Drawing.Point(x: place, y: plot.top), Drawing.Point(x: place, y: plot.bottom), "grid", )
            plot.drawing.text(place, plot.bottom + 16, label, "tick middle")
        }
        for priority in Priority.byUrgency.reversed() {
            guard let delays = results.delays[priority], delays.total > 0 else { continue }
            var points: [Drawing.Point] = [Drawing.Point(x: plot.left, y: plot.y(0))]
            var last = 0.0
            for (seconds, share) in delays.distribution {
                let place = min(max(plot.x(log10(seconds)), plot.left), plot.right)
                points.append(Drawing.Point(x: place, y: plot.y(last)))
                points.append(Drawing.Point(x: place, y: plot.y(share)))
                last = share
            }
            points.append(Drawing.Point(x: plot.right, y: plot.y(1)))
            plot.drawing.curve(points, "stroke", stroke: priority.color)
        }
        return plot.drawing.markup
    }

    /// The records waiting on all devices.
    var waiting: String {
        let times = results.bins.indices.map { (Double($0) + 1) * results.binWidth }
        let queue = results.bins.map { Double($0.inQueue) }
        let all = results.bins.map { Double($0.inQueue + $0.inJournal) }
        var plot = Plot(
            width: 610, height: 446, title: "Records waiting on the devices", x: span,
            y: 0...Plot.ceiling(all.max() ?? 1), )
        incidents(&plot)
        plot.amounts(Self.short)
        plot.hours(results.duration)
        let base = times.map { plot.point($0, 0) }
        let middle = zip(times, queue).map { plot.point($0, $1) }
        let top = zip(times, all).map { plot.point($0, $1) }
        plot.drawing.area(middle, base, "fill", fill: "var(--accent)")
        plot.drawing.area(top, middle, "fill", fill: "var(--phone)")
        plot.drawing.curve(middle, "thin", stroke: "var(--accent)")
        return plot.drawing.markup
    }

    /// The modes of running apps as shares of their time, and below, the share of running apps.
    var modes: String {
        let modes = Array(FleetResults.Activity.allCases.prefix(4))
        let awake = results.bins.map { bin in modes.reduce(0) { $0 + bin.activity[$1.rawValue] } }
        var plot = Plot(
            width: 610, height: 290, title: "Modes of running apps", x: span, y: 0...1, bottomMargin: 78, )
        plot.amounts { "\(Int(($0 * 100).rounded())) %" }
        var below = awake.map { _ in 0.0 }
        for mode in modes.reversed() {
            let above = results.bins.indices.map { index in
                below[index] + Double(results.bins[index].activity[mode.rawValue]) / Double(max(awake[index], 1))
            }
            let known = results.bins.indices.filter { awake[$0] > 0 }
            plot.drawing.area(
                known.map { plot.point(times[$0], above[$0]) }, known.map { plot.point(times[$0], below[$0]) }, "fill",
                fill: mode.color, tip: mode.word, )
            below = above
        }
        // Below: the share of running apps.
        let share = zip(results.bins, awake).map { bin, awake in
            Double(awake) / Double(max(bin.activity.reduce(0, +), 1))
        }
        let most = max(share.max() ?? 0, 0.01)
        var strip = Plot(
            width: 610, height: 290, title: "", x: span, y: 0...most, top: 240, bottomMargin: 24, )
        strip.drawing = plot.drawing
        let top = zip(times, share).map { strip.point($0, $1) }
        strip.drawing.area(top, times.map { strip.point($0, 0) }, "soft", fill: "var(--text-2)")
        strip.drawing.curve(top, "thin", stroke: "var(--text-3)")
        strip.drawing.text(
            strip.left, 234, "running, up to \(Words.decimal(most * 100, most < 0.1 ? 1 : 0)) % of devices", "tick", )
        strip.hours(results.duration)
        return strip.drawing.markup
    }

    static func short(_ value: Double) -> String {
        value >= 1e6
            ? trimmed(value / 1e6) + " M" : value >= 1_000 ? trimmed(value / 1_000) + " k" : trimmed(value)
    }

    private static func trimmed(_ value: Double) -> String {
        value == value.rounded() ? String(Int(value)) : Words.decimal(value, 1)
    }
}

extension Priority {
    /// Its color on the page.
    var color: String { "var(--\(word))" }
}

extension FleetResults.Activity {
    var color: String {
        switch self {
        case .full: "var(--backend)"
        case .normal: "var(--phone)"
        case .reduced: "var(--high)"
        case .minimal: "var(--critical)"
        case .suspended: "var(--sleep)"
        case .notRunning: "var(--gone)"
        }
    }
}
