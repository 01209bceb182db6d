/// A query for a list of devices.
package struct DeviceQuery: Sendable, Hashable {
    /// Words that must all occur in the device's attributes, or ids of its installation, sessions, traces and spans.
    package var text = ""
    /// The `next` value of the previous page.
    package var cursor: String?
    /// The page size, 1 to 200.
    package var limit = 50

    package init(text: String = "", limit: Int = 50) {
        self.text = text
        self.limit = limit
    }
}
