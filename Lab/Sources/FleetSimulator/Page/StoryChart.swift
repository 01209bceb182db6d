import AstrolabeDeviceConditions
import AstrolabeTelemetryModel
import Foundation

/// A device's timeline as strips: its conditions, and when its records were sent.
struct StoryChart {
    let story: DeviceStory
    let duration: Double

    private static let width = 1_240.0
    private static let left = 92.0
    private static let stripHeight = 20.0

    var markup: String {
        var plot = Plot(
            width: Self.width, height: 424,
            title: "What device \(story.device) lived through, and when its records left",
            x: 0...max(duration, 1), y: 0...1, left: Self.left, )
        grid(&plot)
        network(&plot, at: 12)
        battery(&plot, from: 46, to: 96)
        activity(&plot, at: 112)
        waiting(&plot, from: 150, to: 206)
        for (index, priority) in Priority.byUrgency.enumerated() {
            records(&plot, priority, at: 226 + Double(index) * 44)
        }
        ends(&plot)
        plot.hours(duration)
        return plot.drawing.markup
    }

    private func grid(_ plot: inout Plot) {
        var hour = 0.0
        while hour <= duration / 3_600 {
            let place = plot.x(hour * 3_600)
            plot.drawing.line(Drawing.Point(x: place, y: plot.top), Drawing.Point(x: place, y: plot.bottom), "grid")
            hour += duration > 48 * 3_600 ? 12 : 3
        }
    }

    private func label(_ plot: inout Plot, _ text: String, _ y: Double) {
        plot.drawing.text(Self.left - 12, y, text, "lane end")
    }

    private func network(_ plot: inout Plot, at y: Double) {
        label(&plot, "network", y + 14)
        for (index, change) in story.network.enumerated() {
            let end = index + 1 < story.network.count ? story.network[index + 1].time : duration
            let link = story.links[index].value
            let (from, to) = (plot.x(change.time), plot.x(end))
            let isDead = link == .dead && change.value != .offline
            plot.drawing.box(
                from, y, max(to - from, 0.8), Self.stripHeight, isDead ? "dead" : "", fill: change.value.color,
                tip:
                    "\(change.value.word)\(isDead ? ", but nothing passes" : change.value == .offline ? "" : ", \(link.rawValue)"),"
                    + " \(Words.duration(end - change.time))", )
        }
    }

    private func battery(_ plot: inout Plot, from top: Double, to bottom: Double) {
        label(&plot, "battery", (top + bottom) / 2 + 4)
        let y = { (level: Double) in bottom - level * (bottom - top) }
        var points: [Drawing.Point] = []
        for (index, change) in story.battery.enumerated() {
            let end = index + 1 < story.battery.count ? story.battery[index + 1].time : duration
            if change.value.isExternal {
                plot.drawing.box(
                    plot.x(change.time), top, plot.x(end) - plot.x(change.time), bottom - top, "soft",
                    fill: "var(--backend)", tip: "charging", )
            }
            if change.value.isLowPowerMode {
                plot.drawing.box(
                    plot.x(change.time), bottom - 4, plot.x(end) - plot.x(change.time), 4, "", fill: "var(--high)",
                    tip: "Low Power Mode", )
            }
            points.append(Drawing.Point(x: plot.x(change.time), y: y(change.value.level ?? 1)))
            points.append(Drawing.Point(x: plot.x(end), y: y(change.value.level ?? 1)))
        }
        plot.drawing.line(Drawing.Point(x: plot.left, y: bottom), Drawing.Point(x: plot.right, y: bottom), "axis")
        plot.drawing.line(
            Drawing.Point(x: plot.left, y: y(0.2)), Drawing.Point(x: plot.right, y: y(0.2)), "grid dashed", )
        plot.drawing.curve(points, "stroke", stroke: "var(--text-2)")
        for (index, change) in story.heat.enumerated() where change.value >= .serious {
            let end = index + 1 < story.heat.count ? story.heat[index + 1].time : duration
            plot.drawing.box(
                plot.x(change.time), top - 4, max(plot.x(end) - plot.x(change.time), 1), 3, "", fill: "var(--critical)",
                tip: "heat: \(change.value.rawValue)", )
        }
    }

    private func activity(_ plot: inout Plot, at y: Double) {
        label(&plot, "mode", y + 14)
        for (index, change) in story.activity.enumerated() {
            let end = index + 1 < story.activity.count ? story.activity[index + 1].time : duration
            let (from, to) = (plot.x(change.time), plot.x(end))
            let isAwake = change.value.rawValue <= FleetResults.Activity.minimal.rawValue
            plot.drawing.box(
                from, y, max(to - from, isAwake ? 1.6 : 0), Self.stripHeight, "", fill: change.value.color,
                tip: "\(change.value.word), \(Words.duration(end - change.time))", )
        }
    }

    private func waiting(_ plot: inout Plot, from top: Double, to bottom: Double) {
        let most = max(story.waiting.map(\.value).max() ?? 0, 1)
        label(&plot, "waiting", (top + bottom) / 2)
        plot.drawing.text(Self.left - 12, (top + bottom) / 2 + 13, "up to \(Words.count(most))", "tick end")
        var points: [Drawing.Point] = [Drawing.Point(x: plot.left, y: bottom)]
        for (index, change) in story.waiting.enumerated() {
            let end = index + 1 < story.waiting.count ? story.waiting[index + 1].time : duration
            let y = bottom - Double(change.value) / Double(most) * (bottom - top)
            points.append(Drawing.Point(x: plot.x(change.time), y: y))
            points.append(Drawing.Point(x: plot.x(end), y: y))
        }
        let base = points.map { Drawing.Point(x: $0.x, y: bottom) }
        plot.drawing.area(points, base, "fill", fill: "var(--accent)")
        plot.drawing.line(Drawing.Point(x: plot.left, y: bottom), Drawing.Point(x: plot.right, y: bottom), "axis")
    }

    /// Draws a bar for each request with records of the priority. Its height is their number; a line before it shows
    /// the age of the oldest.
    private func records(_ plot: inout Plot, _ priority: Priority, at top: Double) {
        let height = 34.0
        let bottom = top + height
        label(&plot, priority.word, bottom - 12)
        plot.drawing.line(Drawing.Point(x: plot.left, y: bottom), Drawing.Point(x: plot.right, y: bottom), "axis")
        var requests: [(arrived: Double, made: Double, count: Int)] = []
        for arrival in story.arrivals where arrival.priority == priority {
            if let last = requests.last, last.arrived == arrival.arrived {
                requests[requests.count - 1].count += 1
                requests[requests.count - 1].made = min(last.made, arrival.made)
            } else {
                requests.append((arrival.arrived, arrival.made, 1))
            }
        }
        let most = Double(max(requests.map(\.count).max() ?? 1, 1))
        for request in requests {
            let place = plot.x(request.arrived)
            let size = max(5, sqrt(Double(request.count) / most) * (height - 4))
            if request.arrived - request.made > 60 {
                let from = plot.x(request.made)
                plot.drawing.box(from, bottom - 4, max(place - from, 0), 3, "wait", fill: priority.color)
            }
            plot.drawing.box(
                place - 0.9, bottom - size, 1.8, size, "", fill: priority.color,
                tip:
                    "\(request.count) records, the oldest \(Words.duration(max(request.arrived - request.made, 0))) old",
            )
        }
    }

    private func ends(_ plot: inout Plot) {
        label(&plot, "ended", 144)
        for mark in story.ends {
            let words =
                switch mark.what {
                case .crash: "the app crashed"
                case .kill: "the system ended the app"
                case .quit: "the user ended the app"
                }
            plot.drawing.circle(
                plot.x(mark.time), 140, 3.4, "mark", fill: mark.what == .crash ? "var(--critical)" : "var(--text-2)",
                tip: words, )
        }
    }
}

extension NetworkPath.Medium {
    var word: String { self == .wifi ? "Wi-Fi" : rawValue }

    var color: String {
        switch self {
        case .wifi: "var(--backend)"
        case .cellular: "var(--phone)"
        case .ethernet, .unknown: "var(--low)"
        case .offline: "var(--offline)"
        }
    }
}
