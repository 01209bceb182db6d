import Foundation
import Testing

@testable import AstrolabeCommands

@Suite struct `The query command` {
    @Test func `marks the place in a query that is not valid, and exits with 2`() async {
        let (status, output) = await CommandInProcess.run(["query", "p99(duration), cuont last 1h"])
        #expect(status == 2)
        let lines = output.split(separator: "\n").map(String.init)
        #expect(lines[0].hasPrefix("astrolabe: Column 16:"))
        #expect(lines[1] == "  p99(duration), cuont last 1h")
        #expect(lines[2] == "                 ^^^^^")
    }

    @Test func `exits with 1 if no console answers`() async {
        // No server listens on the discard port.
        let (status, output) = await CommandInProcess.run(["query", "count", "--console", "http://127.0.0.1:9"])
        #expect(status == 1)
        #expect(output.contains("no console answers at http://127.0.0.1:9"))
    }

    private static let answer = Data(
        #"""
        {"query":"count","columns":[{"name":"name","isGroup":true},{"name":"count","isGroup":false,"unit":"1"},
        {"name":"p99(duration)","isGroup":false,"unit":"ns"}],
        "rows":[{"key":["a \"b\", c\u001b[2J"],"values":[12,1500000]},{"key":[null],"values":[3,null]},
        {"key":["=1+1"],"values":[-1,null]},
        {"other":true,"key":[],"values":[1,2.5e6]}],"matchedRecords":16,"warnings":[]}
        """#.utf8)

    @Test func `prints a table with aligned columns and no control characters`() throws {
        let table = try QueryTable(json: Self.answer)
        #expect(
            table.text == """
                name          count  p99(duration) [ms]
                a "b", c [2J     12               1.500
                -                 3                   -
                =1+1             -1                   -
                (other)           1               2.500
                """)
    }

    @Test func `knows an answer that leaves out records of its time`() throws {
        #expect(try !QueryTable(json: Self.answer).isIncomplete)
        let incomplete = Data(#"{"columns":[],"rows":[],"warnings":["some"],"incomplete":true}"#.utf8)
        #expect(try QueryTable(json: incomplete).isIncomplete)
    }

    @Test func `knows what has not arrived yet`() throws {
        #expect(try QueryTable(json: Self.answer).completeness == nil)
        let open = Data(
            #"""
            {"columns":[],"rows":[],"warnings":[],
            "completeness":{"total":{"share":0.9,"text":"90 % …"},"steps":[null]}}
            """#.utf8)
        #expect(try QueryTable(json: open).completeness == "90 % …")
    }

    @Test func `prints comma-separated values that a program reads, without formulas`() throws {
        let table = try QueryTable(json: Self.answer)
        #expect(
            table.csv == """
                name,count,p99(duration)
                "a ""b"", c\u{1b}[2J",12,1500000
                ,3,
                '=1+1,-1,
                (other),1,2500000
                """)
    }
}
