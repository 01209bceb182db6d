import Foundation

/// The boards that come with the console.
package enum ShippedBoards {
    /// The names of the boards, in the order in which they are listed.
    package static let ids = ["app-performance", "user-journey", "error-monitoring", "business-metrics"]

    /// Returns the file of a board; `nil` if no board that ships has this name.
    package static func source(_ id: String) -> String? {
        guard ids.contains(id) else { return nil }
        let file = Bundle.module.bundleURL.appendingPathComponent("Boards/\(id).yaml")
        return try? String(contentsOf: file, encoding: .utf8)
    }
}
