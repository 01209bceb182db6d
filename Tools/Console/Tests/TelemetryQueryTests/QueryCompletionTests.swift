import Testing

@testable import TelemetryQuery

@Suite
struct QueryCompletionTests {
    private struct Catalog: QueryCatalog {
        func fields(of dataset: Dataset, prefix: String) -> [String] {
            let names = dataset == .events ? ["body", "odd name"] : ["http.route", "http.request.method", "name"]
            return names.filter { $0.hasPrefix(prefix) }
        }

        func values(of field: String, in dataset: Dataset, prefix: String) -> [QueryValue] {
            guard field == "http.route" else { return [] }
            return [.string("/api/cart"), .string("/api/checkout")].filter { $0.text?.hasPrefix(prefix) == true }
        }
    }

    private static func texts(_ text: String) -> [String] {
        QueryCompletions.at(text.count, in: text, catalog: Catalog()).items.map(\.text)
    }

    @Test(arguments: [
        ("", "p99("), ("p9", "p95("), ("p99(", "http.route"), ("p99(dur", ""), ("count ", "where"), ("count b", "by"),
        ("count by http.ro", "http.route"), ("count where ", "name"), ("count where http.route ", "contains"),
        ("count where http.route ", "="), ("count where http.route not ", "matches"),
        ("count where http.route = ", #""/api/cart""#), ("count where http.route = \"/api/ch", #""/api/checkout""#),
        ("count where http.route in (\"/api/cart\", ", #""/api/checkout""#), ("count where a = 5 ", "and"),
        ("count of ", "sessions"), ("count of events by ", "`odd name`"), ("count last ", "24h"),
        ("count every ", "total"), ("count compare ", "previous"), ("count where ext", "extract("),
        ("count arr", "arriving"), ("count order ", "p50("), ("count order count ", "desc"),
        ("count where not (", "name"),
    ])
    func `what may stand at the cursor is offered`(text: String, offered: String) {
        let found = Self.texts(text)
        #expect(offered.isEmpty ? found.isEmpty : found.contains(offered), "\(found)")
    }

    @Test
    func `what cannot stand there is not offered`() {
        #expect(!Self.texts("count where a = 5 ").contains("="))
        #expect(!Self.texts("count last 1h ").contains("last"))
        #expect(!Self.texts("count by name, ").contains("where"))
    }

    @Test
    func `the word at the cursor is replaced, not what comes after it`() {
        let text = "count by http.ro where name = 5"
        let completions = QueryCompletions.at(16, in: text, catalog: Catalog())
        #expect(completions.replaced == 9..<16)
        #expect(completions.items.map(\.text) == ["http.route"])
    }

    @Test(
        arguments: [("count of events", .events), ("count by name of issues", .issues), ("count by of", .spans)]
            as [(String, Dataset)])
    func `the dataset of an unfinished query is known`(text: String, dataset: Dataset) {
        #expect(QueryCompletions.dataset(of: text) == dataset)
    }

    @Test
    func `the catalog has the most frequent fields and values of the newest records first`() {
        var table = ColumnTable()
        for index in 0..<100 {
            var fields: [String: QueryValue] = [
                "http.route": .string(index % 3 == 0 ? "/rare" : "/often"), "resource.os.name": .string("iOS"),
                "size": .int(Int64(index)),
            ]
            if index % 2 == 0 { fields["http.status_code"] = .int(500) }
            table.append(QueryRecord(time: 0, fields: fields))
        }
        let catalog = ColumnCatalog(table.segments())
        #expect(catalog.fields(of: .spans, prefix: "http.") == ["http.route", "http.status_code"])
        #expect(catalog.fields(of: .spans, prefix: "name") == ["os.name"])
        #expect(catalog.fields(of: .spans, prefix: "resource.") == ["resource.os.name"])
        #expect(catalog.values(of: "http.route", in: .spans, prefix: "") == [.string("/often"), .string("/rare")])
        #expect(catalog.values(of: "http.route", in: .spans, prefix: "ra") == [.string("/rare")])
        #expect(catalog.values(of: "http.response.status_code", in: .spans, prefix: "") == [.int(500)])
        #expect(catalog.values(of: "size", in: .spans, prefix: "").count == 50)
    }

    @Test
    func `the catalog knows many of the newest records, also if their segments are short`() {
        let segments = (0..<20).compactMap { index in
            var builder = SegmentBuilder()
            builder.append(QueryRecord(time: 0, fields: ["name": .string("a"), "key \(index)": .int(1)]))
            return builder.segment()
        }
        let catalog = ColumnCatalog(segments)
        #expect(catalog.fields(of: .spans, prefix: "key ").count == 20)
        #expect(catalog.values(of: "name", in: .spans, prefix: "") == [.string("a")])
        #expect(catalog.values(of: "key 0", in: .spans, prefix: "") == [.int(1)])
    }
}
