import Testing
import ViewTree

@testable import SwiftUI

private struct Wedge: InsettableShape {
    var share: Double
    var amount: CGFloat = 0

    var animatableData: Double {
        get { share }
        set { share = newValue }
    }

    func path(in rect: CGRect) -> Path {
        Path { path in
            path.move(to: CGPoint(x: rect.minX + amount, y: rect.minY))
            path.addLine(to: CGPoint(x: rect.maxX * share, y: rect.maxY))
        }
    }

    func inset(by amount: CGFloat) -> Wedge { Wedge(share: share, amount: self.amount + amount) }
}

@MainActor
private func shape(_ host: ViewHost) -> RenderedNode? { host.tree.root.first { $0.kind == .shape } }

@MainActor
@Suite struct `A path` {
    @Test func `of lines and curves has the commands of SVG`() {
        let path = Path { path in
            path.addLine(to: .zero)
            path.move(to: CGPoint(x: 1, y: 2))
            path.addLine(to: CGPoint(x: 3.456, y: 4))
            path.addQuadCurve(to: CGPoint(x: 5, y: 6), control: CGPoint(x: 7, y: 8))
            path.addCurve(to: CGPoint(x: 1, y: 1), control1: CGPoint(x: 2, y: 2), control2: CGPoint(x: 3, y: 3))
            path.closeSubpath()
            path.addLine(to: CGPoint(x: 9, y: 9))
        }
        #expect(path.svg == "M 1 2 L 3.46 4 Q 7 8 5 6 C 2 2 3 3 1 1 Z M 1 2 L 9 9")
        #expect(path.currentPoint == CGPoint(x: 9, y: 9))
        #expect(Path(CGRect(x: 1, y: 1, width: 2, height: 3)).svg == "M 1 1 L 3 1 L 3 4 L 1 4 Z")
        #expect(path.offsetBy(dx: 1, dy: -1).svg.hasPrefix("M 2 1 L 4.46 3"))
        #expect(Path().isEmpty && !path.isEmpty)
    }

    @Test func `of an arc goes clockwise on the screen if it is not clockwise in Apple's terms`() {
        func end(_ clockwise: Bool) -> CGPoint? {
            var path = Path()
            path.addArc(
                center: .zero, radius: 10, startAngle: .zero, endAngle: .degrees(90), clockwise: clockwise)
            return path.trimmedPath(from: 0, to: 0.5).currentPoint
        }
        #expect(end(false).map { $0.x > 7 && $0.y > 7 } == true)
        #expect(end(true).map { $0.x < -7 && $0.y < -7 } == true)
        var corner = Path()
        corner.move(to: .zero)
        corner.addArc(tangent1End: CGPoint(x: 10, y: 0), tangent2End: CGPoint(x: 10, y: 10), radius: 4)
        #expect(corner.svg.hasPrefix("M 0 0 L 6 0 C") && corner.svg.hasSuffix(" 10 4"))
    }

    @Test func `is trimmed by its length, lines and curves alike`() {
        var path = Path()
        path.addLines([.zero, CGPoint(x: 30, y: 0), CGPoint(x: 30, y: 10)])
        #expect(path.trimmedPath(from: 0.25, to: 0.875).svg == "M 10 0 L 30 0 L 30 5")
        let circle = Circle().path(in: CGRect(x: 0, y: 0, width: 20, height: 10))
        #expect(circle.trimmedPath(from: 0, to: 0.25).svg.hasPrefix("M 15 5 C"))
        #expect(circle.trimmedPath(from: 0, to: 0.25).svg.hasSuffix(" 10 10"))
        #expect(circle.trimmedPath(from: 0.5, to: 0.5).isEmpty)
    }

    @Test func `is moved, scaled and turned by a transform, the last one first`() {
        let transform = CGAffineTransform(translationX: 10, y: 0).rotated(by: .pi / 2).scaledBy(x: 2, y: 2)
        let point = CGPoint(x: 1, y: 0).applying(transform)
        #expect(abs(point.x - 10) < 1e-9 && abs(point.y - 2) < 1e-9)
    }
}

@MainActor
@Suite(.timeLimit(.minutes(2))) struct `A shape` {
    @Test func `of an app is a path in its frame, and then in the rectangle that the page reports`() throws {
        let host = quiet(
            Wedge(share: 0.5).stroke(.red, style: StrokeStyle(lineWidth: 3, lineCap: .round, dash: [4, 2]))
                .frame(width: 100, height: 40))
        let node = try #require(shape(host))
        #expect(node.properties["path"] == "M 0 0 L 50 40")
        #expect(node.properties["size"] == [100, 40])
        #expect(node.properties["stroke"] == "red" && node.properties["fill"] == nil)
        #expect(node.properties["lineCap"] == "round" && node.properties["dash"] == [4, 2])
        let frame = MeasuredFrame(width: 60, height: 20)
        #expect(host.send(ViewEvent(node: node.id, action: .measure, value: frame.value)) == .handled)
        #expect(shape(host)?.properties["path"] == "M 0 0 L 30 20")
    }

    @Test func `with a name needs no path, unless it is trimmed or dashed`() {
        #expect(shape(quiet(Circle().fill(.red)))?.properties == ["shape": "circle", "fill": "red"])
        #expect(shape(quiet(Capsule().stroke(.red, lineWidth: 2)))?.properties["path"] == nil)
        let border = shape(quiet(RoundedRectangle(cornerRadius: 9).strokeBorder(.red, lineWidth: 4)))
        #expect(border?.properties["inset"] == 2 && border?.properties["radius"] == 9)
        let ring = shape(quiet(Circle().trim(from: 0, to: 0.5).stroke(.red, lineWidth: 2)))
        #expect(ring?.properties["shape"] == "path" && ring?.properties["square"] == true)
        let dashed = StrokeStyle(lineWidth: 1, dash: [2])
        #expect(shape(quiet(Rectangle().stroke(.red, style: dashed)))?.properties["shape"] == "path")
        #expect(shape(quiet(Path(CGRect(x: 0, y: 0, width: 1, height: 1)).fill(.red)))?.properties["path"] != nil)
    }

    @Test func `of an app can be drawn inside, clip a view, and be a background`() {
        let inside = quiet(Wedge(share: 1).strokeBorder(.red, lineWidth: 6).frame(width: 10, height: 10))
        #expect(shape(inside)?.properties["path"] == "M 3 0 L 10 10")
        let half = AnyShape(Wedge(share: 0.5))
        let host = quiet(
            Color.red.frame(width: 20, height: 10).clipShape(Wedge(share: 1)).background(.blue, in: half))
        func path(_ kind: NodeKind) -> NodeValue? { host.tree.root.first { $0.kind == kind }?.properties["path"] }
        #expect(path(.clip) == "M 0 0 L 20 10")
        #expect(path(.paint) == "M 0 0 L 10 10")
    }

    private struct Growing: View {
        @State private var share = 0.0
        var body: some View {
            Wedge(share: share).stroke(.red).frame(width: 100, height: 10)
            Circle().trim(from: 0, to: share).stroke(.red).frame(width: 10, height: 10)
            Button("Grow") { withAnimation(.linear(duration: 0.1)) { share = 1 } }.accessibilityIdentifier("grow")
        }
    }

    @Test func `is animated by its animatable data, and by the fractions to which it is trimmed`() async {
        let clock = ManualFrameClock(framesPerSecond: 20)
        let host = quiet(Growing(), clock: clock)
        host.tap("grow")
        var shown: [String] = []
        var arcs: [Bool] = []
        host.onFrame = { _ in
            let shapes = host.tree.root.all { $0.kind == .shape }.map { $0.properties["path"]?.string ?? "" }
            shown.append(shapes[0])
            arcs.append(shapes[1].hasSuffix(" 0 5"))
        }
        clock.run()
        await host.waitUntilSettled()
        #expect(shown == ["M 0 0 L 50 10", "M 0 0 L 100 10"])
        #expect(arcs == [true, false])
    }
}
