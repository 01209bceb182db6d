import AstrolabePlatform
import Testing

struct TextPartsTests {
    @Test func `a text of the kernel has lines, words and values, and no empty parts`() {
        let text = "MemTotal:\t 24 kB\n\nMemFree: 7 kB\n"
        #expect(text.lines == ["MemTotal:\t 24 kB", "MemFree: 7 kB"])
        #expect(text.lines.map(\.words) == [["MemTotal:", "24", "kB"], ["MemFree:", "7", "kB"]])
        #expect("".lines.isEmpty)
        #expect(" \t ".words.isEmpty)
    }

    @Test func `parts end at the given bytes alone`() {
        #expect("/usr/share/zoneinfo/Europe/Zürich"[...].parts { $0 == UInt8(ascii: "/") }.last == "Zürich")
    }
}
