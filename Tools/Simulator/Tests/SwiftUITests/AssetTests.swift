import Foundation
import Testing
import ViewTree

@testable import SwiftUI

@MainActor
@Suite(.serialized) struct `Assets of an app` {
    private static func install() throws {
        let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("assets-\(UUID().uuidString)")
        let files = [
            "A.xcassets/planets/moon.imageset/Contents.json":
                #"{"images": [{"filename": "m.png", "scale": "1x"}, {"filename": "m3.png", "scale": "3x"}]}"#,
            "A.xcassets/planets/moon.imageset/m3.png": "\u{89}PNG three",
            "A.xcassets/sky.colorset/Contents.json": """
            {"colors": [{"color": {"components": {"red": "0xFF", "green": "0.5", "blue": "0", "alpha": "1.000"}}},
             {"appearances": [{"appearance": "luminosity", "value": "dark"}],
              "color": {"components": {"white": "0.0", "alpha": "1.0"}}}]}
            """,
            "logo.svg": "<svg/>",
            "star@2x.png": "\u{89}PNG two",
        ]
        for (name, text) in files {
            let file = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.unicodeScalars.map { UInt8($0.value & 0xFF) }).write(to: file)
        }
        Assets.install(Assets(folders: [folder]))
    }

    private struct Screen: View {
        var body: some View {
            Image("moon")
            Image("logo")
            Color("sky")
            Text("sky").foregroundColor(Color("sky"))
        }
    }

    @Test func `are read from the app's catalogs, for light and for dark`() throws {
        try Self.install()
        let host = ViewHost(Screen())
        let images = host.tree.root.all { $0.kind == .image }.compactMap { $0.properties["resource"]?.string }
        #expect(images.compactMap { host.resource($0)?.type } == ["image/png", "image/svg+xml"])
        #expect(host.tree.root.first { $0.kind == .color }?.properties["fill"] == "#ff8000")
        host.traits.colorScheme = .dark
        #expect(host.tree.root.first { $0.kind == .color }?.properties["fill"] == "#000000")
        #expect(host.tree.root.first { $0.kind == .text }?.properties["color"] == "#000000")
        #expect(host.issues.isEmpty)
    }

    private struct Scaled: View {
        var body: some View {
            Image("moon")
            Image("star").resizable()
            Image("logo")
        }
    }

    @Test func `have the scale of their file`() throws {
        try Self.install()
        let host = ViewHost(Scaled())
        let images = host.tree.root.all { $0.kind == .image }
        #expect(images.map { $0.properties["scale"] } == [3, 2, nil])
        #expect(host.issues.isEmpty)
    }

    private struct Faulty: View {
        var body: some View {
            Image("venus")
            Color("venus.sky")
            Image(systemName: "hologram")
            Text("\(Image(systemName: "hologram.fill")) \(Image(systemName: "heart.circle.fill"))")
        }
    }

    @Test func `that no catalog has, and unknown symbols, are named once`() {
        let host = quiet(Faulty())
        #expect(
            host.issues == [
                .missingAsset(name: "venus"), .missingAsset(name: "venus.sky"), .unknownSymbol(name: "hologram"),
                .unknownSymbol(name: "hologram.fill"),
            ])
        #expect(host.issues[2].description.contains("does not draw the symbol hologram"))
    }
}
