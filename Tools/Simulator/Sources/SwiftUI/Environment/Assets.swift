import Foundation

/// The images and colors of an app's asset catalogs, by name.
///
/// On Apple platforms they are compiled into the app's bundle. SwiftPM on Linux copies the catalogs of a target into
/// its resource folder beside the executable, where they are found without more. Image files outside of a catalog are
/// found by their name, with or without the extension.
package struct Assets: Sendable {
    struct Tones: Hashable, Sendable {
        var light: Color
        var dark: Color?
    }

    private static let installed = MutexValue<Assets?>(nil)

    /// The assets of this process. Default: those of the resource folders beside the executable.
    package static var main: Assets {
        if let assets = installed.value { return assets }
        let assets = Assets(folders: besideExecutable())
        install(assets)
        return assets
    }

    /// Sets the assets of this process, before its first view.
    package static func install(_ assets: Assets) {
        installed.update { $0 = assets }
    }

    private(set) var images: [String: URL] = [:]
    private(set) var colors: [String: Tones] = [:]

    private static let types: Set<String> = ["png", "jpg", "jpeg", "gif", "webp", "svg"]

    /// Reads the catalogs and image files in these folders. A file that cannot be read is left out.
    package init(folders: [URL]) {
        for folder in folders {
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            while let file = files?.nextObject() as? URL {
                let name = file.deletingPathExtension().lastPathComponent
                switch file.pathExtension {
                case "imageset": images[name] = Self.image(in: file)
                case "colorset": colors[name] = Self.tones(in: file)
                case let type where Self.types.contains(type) && !Self.isInCatalog(file):
                    images[name] = file
                    images[file.lastPathComponent] = file
                default: break
                }
            }
        }
    }

    private static func besideExecutable() -> [URL] {
        let folder = Bundle.main.bundleURL
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".resources") }.sorted().map { folder.appendingPathComponent($0) }
    }

    private static func isInCatalog(_ file: URL) -> Bool { file.path.contains(".xcassets/") }

    private struct Contents: Decodable {
        struct Image: Decodable {
            var filename: String?
            var scale: String?
            var appearances: [Appearance]?
        }

        struct Entry: Decodable {
            struct Tone: Decodable {
                var components: [String: String]
            }

            var color: Tone?
            var appearances: [Appearance]?
        }

        struct Appearance: Decodable {
            var value: String
        }

        var images: [Image]?
        var colors: [Entry]?
    }

    private static func contents(of set: URL) -> Contents? {
        let file = set.appendingPathComponent("Contents.json")
        return (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode(Contents.self, from: $0) }
    }

    /// The light image with the highest scale.
    private static func image(in set: URL) -> URL? {
        let images = contents(of: set)?.images?.filter { $0.filename != nil && $0.appearances == nil } ?? []
        let best = images.max { ($0.scale ?? "") < ($1.scale ?? "") }
        return best?.filename.map { set.appendingPathComponent($0) }
    }

    private static func tones(in set: URL) -> Tones? {
        var tones: Tones?
        for entry in contents(of: set)?.colors ?? [] {
            guard let color = entry.color.flatMap({ color($0.components) }) else { continue }
            if entry.appearances?.contains(where: { $0.value == "dark" }) == true {
                tones = Tones(light: tones?.light ?? color, dark: color)
            } else {
                tones = Tones(light: color, dark: tones?.dark)
            }
        }
        return tones
    }

    /// Components are `0x1F`, `31` or `0.12`.
    private static func color(_ components: [String: String]) -> Color? {
        func part(_ name: String) -> Double? {
            guard let text = components[name] else { return nil }
            if text.hasPrefix("0x") { return UInt8(text.dropFirst(2), radix: 16).map { Double($0) / 255 } }
            return Double(text).map { text.contains(".") ? $0 : $0 / 255 }
        }
        let opacity = Double(components["alpha"] ?? "") ?? 1
        if let white = part("white") { return Color(white: white, opacity: opacity) }
        guard let red = part("red"), let green = part("green"), let blue = part("blue") else { return nil }
        return Color(red: red, green: green, blue: blue, opacity: opacity)
    }
}
