public import Foundation
import ViewTree

/// The background of a sheet: a style, or a view behind the content.
private struct SheetBackgroundModifier: PrimitiveModifier {
    typealias Body = Never
    let style: any ShapeStyle

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = Output(merging: children)
        output.preferences.sheetStyle["background"] = .string(resolved(style, in: node.environment))
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

    /// Puts a view behind the content of the sheet.
    @available(iOS 16.4, macOS 13.3, *)
    public func presentationBackground<V: View>(
        alignment: Alignment = .center, @ViewBuilder content: () -> V,
    ) -> some View {
        background(alignment: alignment) { content().ignoresSafeArea() }
            .modifier(SheetBackgroundModifier(style: Color.clear))
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
