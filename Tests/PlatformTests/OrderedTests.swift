import AstrolabePlatform
import Testing

@Test func `a sequence is ordered, and what is equal stays as it was`() {
    let words = ["pear", "fig", "plum", "kiwi", "date", "lime", "nut"]
    #expect(words.ordered { $0.count < $1.count } == ["fig", "nut", "pear", "plum", "kiwi", "date", "lime"])
    #expect(["b": 2, "a": 1].ordered { $0.key < $1.key }.map(\.value) == [1, 2])
    #expect([Int]().ordered(by: <).isEmpty)
}
