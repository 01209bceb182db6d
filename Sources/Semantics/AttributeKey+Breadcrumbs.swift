/// Events that led to an error.
extension AttributeKey {
    /// The last things that happened before an error, oldest first, each a JSON object with `time`, `category`,
    /// `message` and, where there are any, `attributes`. On events of severity `error` or above, and on a span's
    /// `exception` events. At most 16 KiB: of more, the newest.
    ///
    /// String, list, such as `["{\"category\":\"tap\",\"message\":\"Pay\", ...}"]`. Not in the conventions.
    package static let astrolabeBreadcrumbs = "astrolabe.breadcrumbs"
}
