// On Linux an app imports this module as UniformTypeIdentifiers: Docs/Decisions/0064-apps-on-linux.md.

/// A type of file or of data, by its identifier.
public struct UTType: Hashable, Sendable, Codable, Identifiable, CustomStringConvertible {
    public let identifier: String

    /// Creates a type; `nil` for an empty identifier. A type that this module does not list has no file extension.
    public init?(_ identifier: String) {
        guard !identifier.isEmpty else { return nil }
        self.identifier = identifier
    }

    private init(known identifier: String) {
        self.identifier = identifier
    }

    public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self.identifier = identifier
    }

    public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self.identifier = identifier
    }

    /// Creates the type of files with this extension; `nil` if this module does not list it.
    public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
        let name = filenameExtension.lowercased()
        guard let entry = Self.facts.first(where: { $0.value.extensions.contains(name) }) else { return nil }
        identifier = entry.key
    }

    public init?(mimeType: String, conformingTo supertype: UTType = .data) {
        guard let entry = Self.facts.first(where: { $0.value.mimeType == mimeType.lowercased() }) else { return nil }
        identifier = entry.key
    }

    public var id: String { identifier }
    public var description: String { identifier }
    public var preferredFilenameExtension: String? { Self.facts[identifier]?.extensions.first }
    public var preferredMIMEType: String? { Self.facts[identifier]?.mimeType }

    public func conforms(to type: UTType) -> Bool {
        if self == type { return true }
        return Self.facts[identifier]?.parents.contains { UTType(known: $0).conforms(to: type) } ?? false
    }

    public static let item = UTType(known: "public.item")
    public static let content = UTType(known: "public.content")
    public static let data = UTType(known: "public.data")
    public static let text = UTType(known: "public.text")
    public static let plainText = UTType(known: "public.plain-text")
    public static let utf8PlainText = UTType(known: "public.utf8-plain-text")
    public static let rtf = UTType(known: "public.rtf")
    public static let html = UTType(known: "public.html")
    public static let xml = UTType(known: "public.xml")
    public static let json = UTType(known: "public.json")
    public static let yaml = UTType(known: "public.yaml")
    public static let commaSeparatedText = UTType(known: "public.comma-separated-values-text")
    public static let tabSeparatedText = UTType(known: "public.tab-separated-values-text")
    public static let sourceCode = UTType(known: "public.source-code")
    public static let swiftSource = UTType(known: "public.swift-source")
    public static let propertyList = UTType(known: "com.apple.property-list")
    public static let image = UTType(known: "public.image")
    public static let jpeg = UTType(known: "public.jpeg")
    public static let png = UTType(known: "public.png")
    public static let gif = UTType(known: "com.compuserve.gif")
    public static let svg = UTType(known: "public.svg-image")
    public static let heic = UTType(known: "public.heic")
    public static let tiff = UTType(known: "public.tiff")
    public static let webP = UTType(known: "org.webmproject.webp")
    public static let audiovisualContent = UTType(known: "public.audiovisual-content")
    public static let movie = UTType(known: "public.movie")
    public static let video = UTType(known: "public.video")
    public static let quickTimeMovie = UTType(known: "com.apple.quicktime-movie")
    public static let mpeg4Movie = UTType(known: "public.mpeg-4")
    public static let audio = UTType(known: "public.audio")
    public static let mp3 = UTType(known: "public.mp3")
    public static let mpeg4Audio = UTType(known: "public.mpeg-4-audio")
    public static let wav = UTType(known: "com.microsoft.waveform-audio")
    public static let pdf = UTType(known: "com.adobe.pdf")
    public static let zip = UTType(known: "public.zip-archive")
    public static let archive = UTType(known: "public.archive")
    public static let url = UTType(known: "public.url")
    public static let fileURL = UTType(known: "public.file-url")
    public static let folder = UTType(known: "public.folder")
    public static let directory = UTType(known: "public.directory")
    public static let vCard = UTType(known: "public.vcard")
    public static let calendarEvent = UTType(known: "public.calendar-event")
}

extension UTType {
    private struct Facts {
        var parents: [String] = []
        var extensions: [String] = []
        var mimeType: String?
    }

    /// The types above the types, and the extensions of files, as Apple documents them.
    private static let facts: [String: Facts] = [
        "public.data": Facts(parents: ["public.item"]),
        "public.text": Facts(parents: ["public.data", "public.content"]),
        "public.plain-text": Facts(parents: ["public.text"], extensions: ["txt", "text"], mimeType: "text/plain"),
        "public.utf8-plain-text": Facts(parents: ["public.plain-text"]),
        "public.rtf": Facts(parents: ["public.text"], extensions: ["rtf"], mimeType: "text/rtf"),
        "public.html": Facts(parents: ["public.text"], extensions: ["html", "htm"], mimeType: "text/html"),
        "public.xml": Facts(parents: ["public.text"], extensions: ["xml"], mimeType: "application/xml"),
        "public.json": Facts(parents: ["public.text"], extensions: ["json"], mimeType: "application/json"),
        "public.yaml": Facts(parents: ["public.text"], extensions: ["yml", "yaml"], mimeType: "application/x-yaml"),
        "public.comma-separated-values-text": Facts(
            parents: ["public.text"], extensions: ["csv"], mimeType: "text/csv"),
        "public.tab-separated-values-text": Facts(
            parents: ["public.text"], extensions: ["tsv"], mimeType: "text/tab-separated-values"),
        "public.source-code": Facts(parents: ["public.plain-text"]),
        "public.swift-source": Facts(parents: ["public.source-code"], extensions: ["swift"]),
        "com.apple.property-list": Facts(parents: ["public.data"], extensions: ["plist"]),
        "public.image": Facts(parents: ["public.data", "public.content"]),
        "public.jpeg": Facts(parents: ["public.image"], extensions: ["jpeg", "jpg"], mimeType: "image/jpeg"),
        "public.png": Facts(parents: ["public.image"], extensions: ["png"], mimeType: "image/png"),
        "com.compuserve.gif": Facts(parents: ["public.image"], extensions: ["gif"], mimeType: "image/gif"),
        "public.svg-image": Facts(parents: ["public.image"], extensions: ["svg"], mimeType: "image/svg+xml"),
        "public.heic": Facts(parents: ["public.image"], extensions: ["heic"], mimeType: "image/heic"),
        "public.tiff": Facts(parents: ["public.image"], extensions: ["tiff", "tif"], mimeType: "image/tiff"),
        "org.webmproject.webp": Facts(parents: ["public.image"], extensions: ["webp"], mimeType: "image/webp"),
        "public.audiovisual-content": Facts(parents: ["public.data", "public.content"]),
        "public.movie": Facts(parents: ["public.audiovisual-content"]),
        "public.video": Facts(parents: ["public.movie"]),
        "com.apple.quicktime-movie": Facts(
            parents: ["public.movie"], extensions: ["mov", "qt"], mimeType: "video/quicktime"),
        "public.mpeg-4": Facts(parents: ["public.movie"], extensions: ["mp4"], mimeType: "video/mp4"),
        "public.audio": Facts(parents: ["public.audiovisual-content"]),
        "public.mp3": Facts(parents: ["public.audio"], extensions: ["mp3"], mimeType: "audio/mpeg"),
        "public.mpeg-4-audio": Facts(parents: ["public.audio"], extensions: ["m4a"], mimeType: "audio/mp4"),
        "com.microsoft.waveform-audio": Facts(
            parents: ["public.audio"], extensions: ["wav"], mimeType: "audio/vnd.wave"),
        "com.adobe.pdf": Facts(
            parents: ["public.data", "public.content"], extensions: ["pdf"], mimeType: "application/pdf"),
        "public.zip-archive": Facts(
            parents: ["public.data", "public.archive"], extensions: ["zip"], mimeType: "application/zip"),
        "public.url": Facts(parents: ["public.data"]),
        "public.file-url": Facts(parents: ["public.url"]),
        "public.folder": Facts(parents: ["public.directory"]),
        "public.directory": Facts(parents: ["public.item"]),
        "public.vcard": Facts(parents: ["public.text"], extensions: ["vcf"], mimeType: "text/vcard"),
        "public.calendar-event": Facts(parents: ["public.content"]),
    ]
}
