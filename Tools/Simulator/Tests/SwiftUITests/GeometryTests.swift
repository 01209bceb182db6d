import DeviceLink
import SwiftUI
import Testing
import ViewTree

extension ViewHost {
    /// Reports a size as the page does.
    @discardableResult
    fileprivate func report(_ frame: MeasuredFrame, of node: RenderedNode? = nil) -> EventOutcome {
        guard let node = node ?? tree.root.first({ $0.actions.contains(.measure) }) else { return .gone }
        return send(ViewEvent(node: node.id, action: .measure, value: frame.value))
    }

    fileprivate func text(_ identifier: String) -> String? {
        tree.root.identified(by: identifier)?.properties["text"]?.string
    }
}

private func words(_ size: CGSize) -> String { "\(Int(size.width)) x \(Int(size.height))" }

@MainActor
@Suite(.timeLimit(.minutes(2))) struct `A geometry reader` {
    private struct Halves: View {
        var body: some View {
            GeometryReader { proxy in
                Text(words(proxy.size)).accessibilityIdentifier("size")
                Color.red.frame(width: proxy.size.width / 2)
            }
        }
    }

    @Test func `knows the screen without the page, and then the size that the page reports`() {
        let host = quiet(Halves())
        #expect(host.text("size") == "393 x 759")
        #expect(host.tree.root.first { $0.kind == .frame }?.properties["width"] == 196.5)
        #expect(host.report(MeasuredFrame(width: 300, height: 400)) == .handled)
        #expect(host.text("size") == "300 x 400")
        #expect(host.tree.root.first { $0.kind == .frame }?.properties["width"] == 150)
    }

    @Test func `knows the screen of another device`() {
        var traits = DeviceTraits()
        traits.device = DeviceName.iPhoneSE.profile
        #expect(ViewHost(Halves(), traits: traits).text("size") == "375 x 647")
    }

    @Test func `is not evaluated for less than half a point, and takes no other value`() {
        let host = quiet(Halves())
        host.report(MeasuredFrame(width: 300, height: 400))
        let revision = host.tree.revision
        #expect(host.report(MeasuredFrame(width: 300.4, height: 400)) == .handled)
        #expect(host.tree.revision == revision)
        #expect(host.report(MeasuredFrame(width: -1, height: 400)) == .invalidValue)
    }

    private struct Framed: View {
        @State private var isWide = false
        var body: some View {
            GeometryReader { Text(words($0.size)).accessibilityIdentifier("padded") }.padding(20)
            ScrollView {
                GeometryReader { Text(words($0.size)).accessibilityIdentifier("open") }
                GeometryReader { Text(words($0.size)).accessibilityIdentifier("fixed") }
                    .padding(.horizontal, 10).frame(width: isWide ? 300 : 120, height: 80)
            }
            Color.red.frame(width: 50, height: 60).padding(4)
                .background(GeometryReader { Text(words($0.size)).accessibilityIdentifier("behind") })
            Button("Wide") { isWide.toggle() }.accessibilityIdentifier("wide")
        }
    }

    @Test func `knows fixed frames and padding without the page, and is ten points high in a scroll view`() {
        let host = quiet(Framed())
        #expect(host.text("padded") == "353 x 719")
        #expect(host.text("open") == "393 x 10")
        #expect(host.text("fixed") == "100 x 80")
        #expect(host.text("behind") == "58 x 68")
        host.tap("wide")
        #expect(host.text("fixed") == "280 x 80")
    }

    private struct Height: PreferenceKey {
        static let defaultValue: CGFloat = 0
        static func reduce(value: inout CGFloat, nextValue: () -> CGFloat) { value = max(value, nextValue()) }
    }

    private struct Measured: View {
        @State private var height: CGFloat = 0
        var body: some View {
            VStack {
                Text("Several lines").background(
                    GeometryReader { proxy in Color.clear.preference(key: Height.self, value: proxy.size.height) })
                Text("\(Int(height))").accessibilityIdentifier("height")
            }
            .onPreferenceChange(Height.self) { height = $0 }
        }
    }

    @Test func `behind a view passes its height to the views around in a preference`() {
        let host = quiet(Measured())
        host.report(MeasuredFrame(width: 100, height: 44))
        #expect(host.text("height") == "44")
        host.report(MeasuredFrame(width: 100, height: 66))
        #expect(host.text("height") == "66")
        #expect(host.issues.isEmpty)
    }

    private struct Placed: View {
        var body: some View {
            ScrollView {
                GeometryReader { proxy in
                    let frames: [CoordinateSpace] = [.local, .global, .named("scroll"), .named("none")]
                    Text(frames.map { "\(Int(proxy.frame(in: $0).minY))" }.joined(separator: " "))
                        .accessibilityIdentifier("places")
                    Text("\(Int(proxy.safeAreaInsets.top))").accessibilityIdentifier("inset")
                }
            }
            .coordinateSpace(name: "scroll")
        }
    }

    @Test func `gives its frame on the screen and in a named space, and asks the page for them`() throws {
        let host = quiet(Placed())
        let reader = try #require(host.tree.root.first { $0.kind == .geometry })
        let space = try #require(host.tree.root.first { $0.kind == .coordinateSpace })
        #expect(reader.properties["place"] == true)
        #expect(quiet(Halves()).tree.root.first { $0.kind == .geometry }?.properties["place"] == nil)
        let frame = MeasuredFrame(
            width: 393, height: 10, origin: .init(x: 0, y: 120), insets: [59, 0, 0, 0],
            places: [space.id: .init(x: 0, y: -40)])
        host.report(frame)
        #expect(host.text("places") == "0 120 -40 120")
        #expect(host.text("inset") == "59")
        #expect(MeasuredFrame(frame.value) == frame)
    }

    private struct Flipping: View {
        @State private var isTall = false
        var body: some View {
            GeometryReader { proxy in
                Text(words(proxy.size)).accessibilityIdentifier("size")
                    .onChange(of: proxy.size) { isTall = $0.height < 100 }
            }
            .frame(maxHeight: isTall ? 200 : 50)
        }
    }

    @Test func `whose size goes back and forth keeps it after a while, and is reported once`() {
        let host = quiet(Flipping())
        for index in 0..<100 { host.report(MeasuredFrame(width: 100, height: index.isMultiple(of: 2) ? 50 : 200)) }
        #expect(host.issues == [.unstableSize(view: "Flipping", reports: 25)])
        let kept = host.text("size")
        host.report(MeasuredFrame(width: 100, height: kept == "100 x 50" ? 200 : 50))
        #expect(host.text("size") == kept)
        host.report(MeasuredFrame(width: 200, height: 300))
        #expect(host.text("size") == "200 x 300")
    }

    private struct Moved: View {
        @State private var isFar = false
        var body: some View {
            Text("a").position(x: isFar ? 90 : 10, y: 20)
            Button("Far") { withAnimation(.linear(duration: 0.1)) { isFar = true } }.accessibilityIdentifier("far")
        }
    }

    @Test func `is not needed for a position, which is animated`() async {
        let clock = ManualFrameClock(framesPerSecond: 20)
        let host = quiet(Moved(), clock: clock)
        var shown: [Double] = []
        host.onFrame = { _ in
            shown.append(host.tree.root.first { $0.kind == .position }?.properties["x"]?.number ?? 0)
        }
        host.tap("far")
        clock.run()
        await host.waitUntilSettled()
        #expect(shown == [10, 50, 90])
        #expect(host.tree.root.first { $0.kind == .position }?.properties["y"] == 20)
    }
}
