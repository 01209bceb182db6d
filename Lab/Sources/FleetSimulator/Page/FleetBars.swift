import AstrolabeDelivery
import AstrolabeDeviceConditions
import AstrolabeTelemetryModel

/// Bar charts with figures.
struct FleetBars {
    let results: FleetResults

    private struct Row {
        let label: String
        let amount: Int
        let value: String
        let color: String
    }

    /// The records that were not collected and those that were lost, each with its own scale.
    var drops: String {
        let chosen = FleetResults.notCollected.map { reason in
            Row(
                label: reason.rawValue, amount: results.ledger.dropped[reason] ?? 0,
                value: Words.count(results.ledger.dropped[reason] ?? 0), color: "var(--low)", )
        }
        let lost = results.losses.map { loss in
            Row(
                label: loss.reason.rawValue, amount: loss.count, value: Words.count(loss.count),
                color: "var(--critical)", )
        }
        let nothing = [Row(label: "none", amount: 0, value: "0", color: "var(--critical)")]
        return group("Not collected (policy and sampling)", chosen)
            + group("Collected, then lost", lost.isEmpty ? nothing : lost)
    }

    var bytes: String {
        let names: [(NetworkPath.Medium, String, String)] = [
            (.wifi, "Wi-Fi", "var(--backend)"), (.cellular, "cellular", "var(--phone)"),
            (.ethernet, "Ethernet", "var(--low)"), (.unknown, "unknown", "var(--low)"),
        ]
        let rows = names.compactMap { medium, label, color -> Row? in
            let bytes = results.bytes(over: medium)
            guard bytes > 0 || medium == .wifi || medium == .cellular else { return nil }
            let share = Words.percent(bytes, of: results.bytesTotal)
            return Row(label: label, amount: bytes, value: Words.bytes(bytes) + " · " + share, color: color)
        }
        let perRecord = Double(results.bytesTotal) / Double(max(results.ledger.delivered, 1))
        let perDevice = results.bytesTotal / max(results.devices, 1)
        return group("Request bodies, compressed, including retries", rows)
            + "<p class=\"aside\">\(Words.decimal(perRecord, 0)) bytes for each record delivered, "
            + "\(Words.bytes(perDevice)) for each device; "
            + "\(Words.decimal(Double(results.ledger.delivered) / Double(max(results.traffic.requests, 1)), 1)) "
            + "records in a request.</p>"
    }

    private func group(_ title: String, _ rows: [Row]) -> String {
        let most = max(rows.map(\.amount).max() ?? 1, 1)
        let lines = rows.map { row in
            let width = Words.decimal(100 * Double(row.amount) / Double(most), 2)
            return
                "<div class=\"bar\"><span>\(Markup.escape(row.label))</span><i><b style=\"width:\(width)%;background:"
                + "\(row.color)\"></b></i><em>\(Markup.escape(row.value))</em></div>"
        }
        return "<h3>\(Markup.escape(title))</h3>" + lines.joined(separator: "\n")
    }
}
