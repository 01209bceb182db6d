public import Foundation
import ViewTree

/// An image of the app, a system symbol, or a loaded image.
public struct Image: Hashable, Sendable {
    enum Source: Hashable, Sendable {
        case asset(String)
        case symbol(String)
        /// The name in the host's store.
        case resource(String)
    }

    public enum Scale: Hashable, Sendable {
        case small
        case medium
        case large
    }

    let source: Source
    var isResizable = false
    /// The pixels of a loaded image for a point.
    var scale = 1.0
    var isTemplate = false
    /// The way in which a symbol gets its colors; `nil` for that of the views around.
    var renderingMode: SymbolRenderingMode?
    private var isDecorative = false

    nonisolated init(_ source: Source) {
        self.source = source
    }

    nonisolated public init(_ name: String) {
        self.init(.asset(name))
    }

    /// Creates an image that assistive technologies ignore.
    nonisolated public init(decorative name: String) {
        self.init(.asset(name))
        isDecorative = true
    }

    nonisolated public init(systemName: String) {
        self.init(.symbol(systemName))
    }

    /// Resizes the image to its frame.
    public func resizable() -> Image {
        var copy = self
        copy.isResizable = true
        return copy
    }

    /// The way in which an image gets its colors.
    public enum TemplateRenderingMode: Hashable, Sendable {
        /// Draws the parts that are not transparent in the color of text.
        case template
        case original
    }

    /// Sets whether the image has its own colors or that of the text. A symbol always has that of the text.
    public func renderingMode(_ renderingMode: TemplateRenderingMode?) -> Image {
        var copy = self
        copy.isTemplate = renderingMode == .template
        return copy
    }
}

extension Image: View {
    public typealias Body = Never
}

extension Image: PrimitiveView {
    func slots(in node: ViewNode) -> [Slot] { [] }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var properties: [String: NodeValue] = [:]
        switch source {
        case .asset(let name):
            if let image = node.graph.images.asset(name) {
                properties["resource"] = .string(image.name)
                properties["scale"] = Self.scale(Assets.main.images[name]?.scale ?? 1)
            } else {
                properties["asset"] = .string(name)
                if !name.isEmpty { node.graph.report(.missingAsset(name: name)) }
            }
        case .symbol(let symbol):
            let name = node.environment.symbolVariants.name(of: symbol)
            if !SymbolNames.isDrawn(name) { node.graph.report(.unknownSymbol(name: name)) }
            let environment = node.environment
            let font = environment.font ?? .body
            properties["symbol"] = .string(name)
            properties["color"] = .string(foreground(in: environment))
            properties["fontSize"] = .number(font.points(at: environment.dynamicTypeSize) * environment.imageScale)
            properties["fontWeight"] = .number(Double(environment.textAttributes.weight?.value ?? font.weightValue))
            if (renderingMode ?? environment.symbolRenderingMode)?.isHierarchical == true {
                properties["hierarchical"] = true
            }
            if !environment.symbolEffects.isEmpty { properties["effects"] = .list(environment.symbolEffects) }
            if environment.contentTransition == .symbolEffect { properties["contentTransition"] = "replace" }
        case .resource(let name):
            properties["resource"] = .string(name)
            properties["scale"] = Self.scale(scale)
        }
        if isTemplate, properties["resource"] != nil {
            properties["template"] = true
            properties["color"] = .string(foreground(in: node.environment))
        }
        if isResizable { properties["resizable"] = true }
        if isDecorative { properties["accessibilityHidden"] = true }
        return Output(RenderedNode(id: node.id, kind: .image, properties: properties))
    }

    private static func scale(_ scale: Double) -> NodeValue? { scale == 1 ? nil : .number(scale) }
}

extension EnvironmentValues {
    private enum ImageScaleKey: EnvironmentKey {
        static let defaultValue = 1.0
    }

    var imageScale: Double {
        get { self[ImageScaleKey.self] }
        set { self[ImageScaleKey.self] = newValue }
    }
}

extension View {
    public func imageScale(_ scale: Image.Scale) -> some View {
        environment(\.imageScale, [.small: 0.8, .large: 1.3][scale] ?? 1)
    }
}

/// The state of an image that is loaded from the network.
public enum AsyncImagePhase: Sendable {
    case empty
    case success(Image)
    case failure(any Error)

    public var image: Image? { if case .success(let image) = self { image } else { nil } }
    public var error: (any Error)? { if case .failure(let error) = self { error } else { nil } }
}

/// An image that is loaded when it appears, and again when its URL changes.
public struct AsyncImage<Content: View>: View {
    let url: URL?
    let scale: CGFloat
    let content: (AsyncImagePhase) -> Content

    public init(
        url: URL?, scale: CGFloat = 1, transaction: Transaction = Transaction(),
        @ViewBuilder content: @escaping (AsyncImagePhase) -> Content,
    ) {
        self.url = url
        self.scale = scale
        self.content = content
    }

    public init<I: View, P: View>(
        url: URL?, scale: CGFloat = 1, @ViewBuilder content: @escaping (Image) -> I,
        @ViewBuilder placeholder: @escaping () -> P,
    ) where Content == _ConditionalContent<I, P> {
        self.url = url
        self.scale = scale
        self.content = { phase in
            if let image = phase.image {
                ViewBuilder.buildEither(first: content(image))
            } else {
                ViewBuilder.buildEither(second: placeholder())
            }
        }
    }

    public var body: some View { Fetched(url: url, scale: scale, content: content) }
}

extension AsyncImage where Content == Image {
    /// Creates a view that is empty until the image is loaded.
    public init(url: URL?, scale: CGFloat = 1) {
        self.url = url
        self.scale = scale
        content = { $0.image ?? Image(.asset("")) }
    }
}

private struct Fetched<Content: View>: View {
    let url: URL?
    let scale: CGFloat
    let content: (AsyncImagePhase) -> Content
    @State private var phase = AsyncImagePhase.empty
    @State private var shown: URL?
    @Environment(\.imageFetcher) private var fetcher

    var body: some View {
        content(phase).task(id: url) {
            if shown == url, phase.image != nil { return }
            phase = .empty
            guard let url, let fetcher else { return }
            do {
                var image = Image(.resource(try await fetcher.store.fetch(url).name))
                image.scale = Double(scale)
                phase = .success(image)
                shown = url
            } catch {
                if !Task.isCancelled { phase = .failure(error) }
            }
        }
    }
}

/// The host's store of images.
struct ImageFetcher: Sendable, Equatable {
    let store: ImageStore

    static func == (left: ImageFetcher, right: ImageFetcher) -> Bool { left.store === right.store }
}

extension EnvironmentValues {
    private enum ImageFetcherKey: EnvironmentKey {
        static let defaultValue: ImageFetcher? = nil
    }

    var imageFetcher: ImageFetcher? {
        get { self[ImageFetcherKey.self] }
        set { self[ImageFetcherKey.self] = newValue }
    }
}
