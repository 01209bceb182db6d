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

    struct Picture: Hashable, Sendable {
        let file: URL
        /// The pixels of the file for a point.
        let scale: Double
    }

    private(set) var images: [String: Picture] = [:]
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
                    let picture = Self.picture(file)
                    if images[picture.name].map({ $0.scale < picture.image.scale }) ?? true {
                        images[picture.name] = picture.image
                    }
                    images[file.lastPathComponent] = picture.image
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

    /// An image file outside of a catalog: `star@2x.png` is `star` with two pixels for a point.
    private static func picture(_ file: URL) -> (name: String, image: Picture) {
        let name = file.deletingPathExtension().lastPathComponent
        guard let match = name.wholeMatch(of: /(.+)@([23])x/) else { return (name, Picture(file: file, scale: 1)) }
        return (String(match.1), Picture(file: file, scale: Double(match.2) ?? 1))
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
    private static func image(in set: URL) -> Picture? {
        let images = contents(of: set)?.images?.filter { $0.filename != nil && $0.appearances == nil } ?? []
        let best = images.max { ($0.scale ?? "") < ($1.scale ?? "") }
        let scale = best?.scale.flatMap { Double($0.dropLast()) } ?? 1
        return best?.filename.map { Picture(file: set.appendingPathComponent($0), scale: scale) }
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
