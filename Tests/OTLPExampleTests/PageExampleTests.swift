import AstrolabeOTLP
import Foundation
import Testing

/// Compiled as another package's code: it sees what is public, and imports the product alone.
@Suite("The decoder, used from another package")
struct PageExampleTests {
    @Test("the example of Docs/Internals/OTLP.md is what is compiled here, and it reads a request")
    func example() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let page = try String(contentsOf: tests.appending(path: "../../Docs/Internals/OTLP.md"), encoding: .utf8)
        let source = try String(contentsOf: tests.appending(path: "PageExample.swift"), encoding: .utf8)
        #expect(page.contains("```swift\n" + source + "```\n"))
        #expect(try services(in: compressed) == ["shop": 2])
    }

    @Test("all that the decoder returns can be read")
    func model() throws {
        let body = try OTLPDecoder.decompress(gzip: compressed, limit: 1_000)
        let span = try #require(try OTLPDecoder.traces(protobuf: body).first?.scopes.first?.records.first)
        #expect(span.name == "checkout")
        #expect(span.kind == .server)
        #expect(span.status == .error(""))
        #expect(span.durationNano == 2_000)
        #expect(span.context.traceID.hex == "1112131415161718191a1b1c1d1e1f20")
        #expect(span.attributes["demo.cart.items.count"] == "3")
    }

    @Test("a body that grows past the limit is refused, and so is one that is not gzip")
    func refusal() throws {
        #expect(try OTLPDecoder.decompress(gzip: compressed, limit: 220).count == 220)
        let long = #expect(throws: OTLPDecompressionError.self) {
            try OTLPDecoder.decompress(gzip: compressed, limit: 219)
        }
        #expect(long?.isTooLong == true)
        let plain = #expect(throws: OTLPDecompressionError.self) {
            try OTLPDecoder.decompress(gzip: Array("plain text".utf8), limit: 1_000)
        }
        #expect(plain?.isTooLong == false)
        #expect(plain?.description.contains("1F 8B") == true)
    }

    /// Two spans of the service "shop", compressed by Python's gzip module.
    private let compressed = Array(
        Data(
            base64Encoded: """
                H4sIAAAAAAACA+O6ycglwSXGxVOcWlSWmZyql5eYmyrExsVSnJFfILSHUSiGS0BQSFhEVExcQlJKWkZWTl5BiGPhosVLli5b\
                vkKLIzkjNTk7v7TEgMnyBTMDGDju4IYwvGS4RFNSc/P1khOLSvQyS1Jzi/WS80vzSoSYuRiNq5gkmGhrOgCUfeyD3AAAAA==
                """) ?? Data())
}
