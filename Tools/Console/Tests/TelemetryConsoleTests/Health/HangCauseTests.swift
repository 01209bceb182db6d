import Symbolication
import Testing

@testable import TelemetryConsole

/// Hangs as the samples of an animation have them: each was taken in another helper.
@Suite struct HangCauseTests {
    private static let sources = "/src/Shop/Sources/"
    private static let framework = "/src/astrolabe/Tools/Simulator/Sources/SwiftUI/"

    private static func frame(_ function: String, _ file: String, line: Int = 7) -> ReadFrame {
        let image = HealthReport.Image(name: "Shop", buildID: nil, isApp: true)
        return ReadFrame(
            frame: HealthReport.Frame(image: image, offset: 16, address: "", isGuess: false, isReturn: true),
            sources: [SourceFrame(function: function, file: file, line: line, column: 1, isInlined: false)])
    }

    private static func system(_ name: String) -> ReadFrame {
        let image = HealthReport.Image(name: name, buildID: nil, isApp: false)
        return ReadFrame(
            frame: HealthReport.Frame(image: image, offset: 32, address: "", isGuess: false, isReturn: true),
            sources: [])
    }

    /// The frames below every sample, innermost first.
    private static let root = [
        frame("ViewHost.present(_:)", framework + "ViewHost.swift"),
        frame("HostedApp.run()", framework + "HostedApp.swift"),
        frame("static ShopApp.main()", sources + "ShopApp.swift"), system("libc.so.6"),
    ]
    private static let body = [frame("CometView.body.getter", sources + "CometView.swift")] + root
    private static let grains = [frame("CometTail.grains(at:)", sources + "CometTail.swift", line: 22)] + body
    private static let closure =
        [frame("closure #1 in CometTail.grains(at:)", sources + "CometTail.swift", line: 30)] + grains
    private static let inHeader =
        [frame("_stdlib_squareRoot", "/usr/lib/swift/shims/LibcOverlayShims.h")] + closure
    private static let rendering = [frame("FrameModifier.render(_:)", framework + "FrameModifier.swift")] + root

    static let animations: [[[ReadFrame]]] = [
        [grains], [closure], [inHeader], [[system("libm.so.6")] + grains], [rendering, grains, closure],
        [grains, inHeader, body, closure, rendering], [body, body, inHeader, grains, closure],
    ]

    @Test(arguments: HangCauseTests.animations)
    func `hangs of one animation have one cause, wherever their samples were taken`(_ samples: [[ReadFrame]]) {
        #expect(HangCause(samples)?.spot.name == "CometTail.grains(at:)")
    }

    @Test
    func `code that most samples do not have in common is not the cause`() {
        // A function of a few samples, below which the others vary.
        #expect(HangCause([Self.grains, Self.body, Self.body, Self.body])?.spot.name == "CometView.body.getter")
        // The app's entry is on every stack, so that on the most of the others counts.
        let other = [Self.frame("Cart.total()", Self.sources + "Cart.swift")] + Self.root
        let third = [Self.frame("Cart.sort()", Self.sources + "Cart.swift")] + Self.root
        #expect(HangCause([other, other, third, third, third, Self.grains])?.spot.name == "Cart.sort()")
    }

    @Test
    func `without own code the app's other functions count, and then addresses`() {
        let library = [Self.frame("Parser.parse()", "/app/.build/checkouts/Parser/Parser.swift")]
        let below = [
            Self.frame("Parser.run()", "/app/.build/checkouts/Parser/Parser.swift"), Self.system("libc.so.6"),
        ]
        #expect(HangCause([library + below, below, library + below])?.spot.name == "Parser.parse()")
        let image = HealthReport.Image(name: "Shop", buildID: nil, isApp: true)
        func bare(_ offset: UInt64) -> ReadFrame {
            ReadFrame(
                frame: HealthReport.Frame(image: image, offset: offset, address: "", isGuess: false, isReturn: true),
                sources: [])
        }
        // The innermost offsets differ from sample to sample.
        let samples = ([1, 2, 3] as [UInt64]).map { [bare($0), bare(0x40), bare(0x80)] }
        #expect(HangCause(samples)?.spot.name == "Shop + 0x40")
        #expect(HangCause([[Self.system("libc.so.6")], [Self.system("libc.so.6")]]) == nil)
        #expect(HangCause([]) == nil)
    }
}
