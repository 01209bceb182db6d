/// The table of UIKit, which lists of SwiftUI used before iOS 16.
///
/// Its appearance changes nothing, as since iOS 16: lists there are collection views.
@MainActor
public final class UITableView {
    private static let proxy = UITableView()

    public static func appearance() -> UITableView { proxy }

    public var backgroundColor: UIColor?
    public var separatorColor: UIColor?
    public var separatorStyle = SeparatorStyle.singleLine
    public var showsVerticalScrollIndicator = true
    public var isScrollEnabled = true

    public enum SeparatorStyle: Sendable {
        case none, singleLine, singleLineEtched
    }

    private init() {}
}

/// A cell of UIKit's table, which rows of lists were before iOS 16.
@MainActor
public final class UITableViewCell {
    private static let proxy = UITableViewCell()

    public static func appearance() -> UITableViewCell { proxy }

    public var backgroundColor: UIColor?

    private init() {}
}
