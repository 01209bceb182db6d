/// Measures the rows of the design's table that exist so far, each beside its alternative in the same run.
@main
enum Benchmarks {
    static func main() throws {
        Report.say("measuring spans ...")
        var rows = SpanRows.measure()
        Report.say("measuring requests ...")
        rows += try CodecRows.measure()
        Report.say("measuring the journal ...")
        rows += try JournalRows.measure()
        Report.say("measuring the offline queue ...")
        rows += try QueueRows.measure()
        Report.say("measuring the console ...")
        if let row = try IngestRow.measure() { rows.append(row) }
        Report.print(rows)
    }
}
