import SwiftUI
import Testing
import ViewTree

@MainActor
@Suite struct `The idiom of earlier years` {
    private func nodes(_ host: ViewHost, _ kind: NodeKind) -> [RenderedNode] { host.tree.root.all { $0.kind == kind } }

    private struct Asking: View {
        @State private var asks = false
        @State private var chooses = false
        @State private var answer = "none"

        var body: some View {
            Button("Ask") { asks = true }.accessibilityIdentifier("ask")
                .alert(isPresented: $asks) {
                    Alert(
                        title: Text("Sure?"), message: Text("Really."),
                        primaryButton: .destructive(Text("Yes")) { answer = "yes" }, secondaryButton: .cancel())
                }
            Button("Choose") { chooses = true }.accessibilityIdentifier("choose")
                .actionSheet(isPresented: $chooses) {
                    ActionSheet(title: Text("What?"), buttons: [.default(Text("One")) { answer = "one" }])
                }
            Text("answer \(answer)")
        }
    }

    private func tap(_ words: String, _ host: ViewHost) {
        let button = host.tree.root.all { $0.kind == .button && $0.texts == [words] }.last
        host.send(ViewEvent(node: button?.id ?? 0, action: .tap))
    }

    @Test func `has alerts and action sheets as values`() {
        let host = quiet(Asking())
        host.tap("ask")
        #expect(nodes(host, .alert).map { $0.properties["title"] } == ["Sure?"])
        #expect(host.tree.contains(text: "Really.") && host.tree.contains(text: "Cancel"))
        tap("Yes", host)
        #expect(nodes(host, .alert).isEmpty && host.tree.contains(text: "answer yes"))
        host.tap("choose")
        #expect(nodes(host, .dialog).map { $0.properties["title"] } == ["What?"])
        tap("One", host)
        #expect(nodes(host, .dialog).isEmpty && host.tree.contains(text: "answer one"))
    }

    private struct Ring: ProgressViewStyle {
        func makeBody(configuration: Configuration) -> some View {
            Text("at \(Int((configuration.fractionCompleted ?? 0) * 100))")
            configuration.label
        }
    }

    @Test func `has progress views in a style of the app, and with a tint`() {
        let host = quiet(
            VStack {
                ProgressView("Loading", value: 0.25).progressViewStyle(Ring())
                ProgressView().progressViewStyle(CircularProgressViewStyle(tint: .white))
            })
        #expect(host.tree.contains(text: "at 25") && host.tree.contains(text: "Loading"))
        #expect(nodes(host, .progress).map { $0.properties["tint"] } == ["#ffffff"])
    }

    @Test func `hides the bar of a page, and sets the tint by the accent color`() {
        let host = quiet(
            NavigationView {
                Button("Tinted") {}.navigationBarTitle(Text("Hidden"), displayMode: .inline).navigationBarHidden(true)
            }
            .accentColor(.purple))
        #expect(nodes(host, .page).map { $0.properties["barHidden"] } == [true])
        #expect(nodes(host, .text).map { $0.properties["color"] } == ["purple"])
    }

    @Test func `has the colors of UIKit, light and dark`() {
        let host = quiet(
            VStack {
                Color(uiColor: .secondarySystemBackground)
                Color(.systemRed)
                Color(UIColor(red: 1, green: 0, blue: 0, alpha: 1).withAlphaComponent(0.5))
            })
        #expect(nodes(host, .color).map { $0.properties["fill"] } == ["#f2f2f7", "red", "#ff0000/50"])
        host.traits.colorScheme = .dark
        #expect(nodes(host, .color).map { $0.properties["fill"] } == ["#1c1c1e", "red", "#ff0000/50"])
    }

    @Test func `has radial gradients, and styles that are more transparent`() {
        let host = quiet(
            VStack {
                RadialGradient(colors: [.red, .blue], center: .center, startRadius: 0, endRadius: 80)
                Rectangle().fill(.tint.opacity(0.2))
                Rectangle().fill(.secondary.opacity(0.5))
            })
        #expect(nodes(host, .color).map { $0.properties["fill"] } == ["radial:0.5,0.5,0,80;red 0;blue 100"])
        #expect(nodes(host, .shape).map { $0.properties["fill"] } == ["accent/20", "secondary/50"])
    }

    @Test func `turns and scales shapes, and counts with angles`() {
        let square = Rectangle().rotation(.degrees(30) + .degrees(15) * 4).scale(0.5)
        var box: [CGPoint] = []
        square.path(in: CGRect(x: 0, y: 0, width: 40, height: 20)).forEach { element in
            if case .move(let point) = element { box.append(point) }
            if case .line(let point) = element { box.append(point) }
        }
        #expect(box.count >= 4)
        #expect(box.allSatisfy { abs(abs($0.x - 20) - 5) < 0.01 && abs(abs($0.y - 10) - 10) < 0.01 })
        #expect(-Angle.degrees(90) / 2 == .degrees(-45))
    }

    @Test func `draws symbols in their forms`() {
        let host = quiet(
            VStack {
                Image(systemName: "star").symbolVariant(.fill)
                Image(systemName: "star.fill").symbolVariant(.fill)
                Image(systemName: "airplane").symbolVariant(.slash)
            })
        #expect(nodes(host, .image).map { $0.properties["symbol"] } == ["star.fill", "star.fill", "airplane.slash"])
    }
}
