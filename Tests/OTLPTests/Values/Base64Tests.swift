import AstrolabeSeededRandomness
import Foundation
import Testing

@testable import AstrolabeOTLP

@Suite struct `Base64 text` {
    @Test func `is what Foundation writes, in either alphabet, padded or not`() {
        var random = SeededGenerator(seed: 5)
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let standard = Data(bytes).base64EncodedString()
            #expect(Base64.encode(bytes) == standard)
            let urlSafe = standard.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            for text in [standard, urlSafe] {
                #expect(Base64.decode(Array(text.utf8)) == bytes)
                #expect(Base64.decode(Array(text.filter { $0 != "=" }.utf8)) == bytes)
            }
        }
    }

    @Test(arguments: ["A", "AAAAA", "AA=A", "AA=", "A===", "=", "====", "AAAA=", "AA==AA", "AA A", "AAAé", "A\n"])
    func `is nothing else`(text: String) {
        #expect(Base64.decode(Array(text.utf8)) == nil)
    }
}
