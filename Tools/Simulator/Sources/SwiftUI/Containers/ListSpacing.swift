public import Foundation
import ViewTree

/// The space between sections of a list.
@available(iOS 17, *)
public struct ListSectionSpacing: Hashable, Sendable {
    /// `nil` for that of the system.
    fileprivate let points: Double?

    public static let `default` = ListSectionSpacing(points: nil)
    public static let compact = ListSectionSpacing(points: 10)

    public static func custom(_ spacing: CGFloat) -> ListSectionSpacing { ListSectionSpacing(points: Double(spacing)) }
}

extension EnvironmentValues {
    private enum SectionSpacingKey: EnvironmentKey {
        static var defaultValue: Double? { nil }
    }

    private enum RowSpacingKey: EnvironmentKey {
        static var defaultValue: Double? { nil }
    }

    /// The space before each section here, if it is not that of the system.
    fileprivate var sectionSpacing: Double? {
        get { self[SectionSpacingKey.self] }
        set { self[SectionSpacingKey.self] = newValue }
    }

    /// The space between rows here, which then lie on cards of their own.
    fileprivate var rowSpacing: Double? {
        get { self[RowSpacingKey.self] }
        set { self[RowSpacingKey.self] = newValue }
    }

    /// The spaces as properties of a list or a section.
    var listSpacing: [String: NodeValue] {
        var properties: [String: NodeValue] = [:]
        if let sectionSpacing { properties["sectionSpacing"] = .number(sectionSpacing) }
        if let rowSpacing { properties["rowSpacing"] = .number(rowSpacing) }
        return properties
    }
}

extension View {
    /// Sets the space between the rows of the lists here. Each row then lies on a card of its own.
    @available(iOS 15, *)
    public func listRowSpacing(_ spacing: CGFloat?) -> some View {
        modifier(EnvironmentModifier { $0.rowSpacing = spacing.map { Double($0) } })
    }

    /// Sets the space between the sections of the lists here, or before one section.
    @available(iOS 17, *)
    public func listSectionSpacing(_ spacing: ListSectionSpacing) -> some View {
        modifier(EnvironmentModifier { $0.sectionSpacing = spacing.points })
    }

    @available(iOS 17, *)
    public func listSectionSpacing(_ spacing: CGFloat) -> some View { listSectionSpacing(.custom(spacing)) }
}
