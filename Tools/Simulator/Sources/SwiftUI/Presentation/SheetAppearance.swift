public import Foundation
import ViewTree

/// A style as the background of a sheet.
private struct SheetBackgroundModifier: PrimitiveModifier {
    typealias Body = Never
    let style: any ShapeStyle

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = Output(merging: children)
        output.preferences.sheetStyle["background"] = .string(resolved(style, in: node.environment))
        output.preferences.sheetLayer = nil
        return output
    }
}

/// A view behind all of the sheet.
private struct SheetLayerModifier<Layer: View>: PrimitiveModifier {
    typealias Body = Never
    let alignment: Alignment
    let layer: Layer

    func slots(content: any View, in node: ViewNode) -> [Slot] {
        [Slot(.position(0), content), Slot(.position(1), layer) { $0.leaveContainers() }]
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = children[0]
        output.preferences.merge(children[1].preferences)
        output.preferences.sheetStyle["background"] = .string(resolved(Color.clear, in: node.environment))
        output.preferences.sheetLayer = RenderedNode(
            id: node.wrapperID(.layer), kind: .layer,
            properties: [
                "horizontal": .string(alignment.horizontal.name), "vertical": .string(alignment.vertical.name),
            ],
            children: children[1].nodes)
        return output
    }
}

/// The size of a sheet where there is room for several, as on an iPad.
@available(iOS 18, macOS 15, *)
@MainActor
@preconcurrency
public protocol PresentationSizing {
    var _name: String { get }
}

/// The size of a form, which is the default.
@available(iOS 18, macOS 15, *)
public struct FormPresentationSizing: PresentationSizing {
    nonisolated init() {}
    public var _name: String { "form" }
}

/// The size of a page, which is larger than that of a form.
@available(iOS 18, macOS 15, *)
public struct PagePresentationSizing: PresentationSizing {
    nonisolated init() {}
    public var _name: String { "page" }
}

@available(iOS 18, macOS 15, *)
extension PresentationSizing where Self == FormPresentationSizing {
    public static var form: FormPresentationSizing { FormPresentationSizing() }
    public static var automatic: FormPresentationSizing { FormPresentationSizing() }
}

@available(iOS 18, macOS 15, *)
extension PresentationSizing where Self == PagePresentationSizing {
    public static var page: PagePresentationSizing { PagePresentationSizing() }
}

extension View {
    /// Sets the background of the sheet that contains the view.
    @available(iOS 16.4, macOS 13.3, *)
    public func presentationBackground<S: ShapeStyle>(_ style: S) -> some View {
        modifier(SheetBackgroundModifier(style: style))
    }

    /// Puts a view behind all of the sheet that contains this one.
    @available(iOS 16.4, macOS 13.3, *)
    public func presentationBackground<V: View>(
        alignment: Alignment = .center, @ViewBuilder content: () -> V,
    ) -> some View {
        modifier(SheetLayerModifier(alignment: alignment, layer: content()))
    }

    /// Sets the radius of the upper corners of the sheet; `nil` is that of the system.
    @available(iOS 16.4, macOS 13.3, *)
    public func presentationCornerRadius(_ cornerRadius: CGFloat?) -> some View {
        modifier(
            SheetPreferenceModifier {
                if let cornerRadius { $0.sheetStyle["radius"] = .number(Double(cornerRadius)) }
            })
    }

    /// Sets the size of the sheet on an iPad. On a phone a sheet has the width of the screen.
    @available(iOS 18, macOS 15, *)
    public func presentationSizing(_ sizing: some PresentationSizing) -> some View {
        let name = sizing._name
        return modifier(SheetPreferenceModifier { $0.sheetStyle["sizing"] = .string(name) })
    }
}
