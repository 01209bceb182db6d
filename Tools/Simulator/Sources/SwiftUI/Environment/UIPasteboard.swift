public import Foundation

/// The place of what the user has copied.
///
/// Partly: Texts and addresses of the app itself, until it ends. The computer's pasteboard is another one.
public final class UIPasteboard: Sendable {
    private struct Content: Sendable {
        var strings: [String] = []
        var changeCount = 0
    }

    public static let general = UIPasteboard()
    private let content = MutexValue(Content())

    private init() {}

    /// The first text; `nil` if there is none.
    public var string: String? {
        get { strings?.first }
        set { strings = newValue.map { [$0] } }
    }

    public var strings: [String]? {
        get { content.value.strings.isEmpty ? nil : content.value.strings }
        set {
            content.update {
                $0.strings = newValue ?? []
                $0.changeCount += 1
            }
        }
    }

    /// The first text that is an address; `nil` if there is none.
    public var url: URL? {
        get { urls?.first }
        set { urls = newValue.map { [$0] } }
    }

    public var urls: [URL]? {
        get {
            let found = content.value.strings.compactMap { URL(string: $0) }.filter { $0.scheme != nil }
            return found.isEmpty ? nil : found
        }
        set { strings = newValue?.map(\.absoluteString) }
    }

    public var hasStrings: Bool { string != nil }
    public var hasURLs: Bool { url != nil }
    /// The number of times that something was copied.
    public var changeCount: Int { content.value.changeCount }
}
