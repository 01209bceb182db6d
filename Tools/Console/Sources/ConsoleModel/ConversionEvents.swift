/// The names of the records that a session is judged by: conversions and checkouts.
///
///     var configuration = StoreConfiguration(path: "console.sqlite")
///     configuration.milestones.conversions = ["subscription.started"]
///
/// A session is converted if it has an event or span with the name of a conversion. It is abandoned if it is not
/// converted and has an event, span or screen with the name of a checkout. The store keeps a row for each such event
/// and span, and makes the rows again when it is opened with other names.
package struct ConversionEvents: Sendable, Hashable {
    package var conversions = ["order.placed", "purchase"]
    package var checkouts = ["checkout.started", "begin_checkout"]
    /// The attributes of a conversion that may have its amount. The first that is a number counts.
    package var amounts = ["order.amount", "order.value"]

    package init() {}

    package init(conversions: [String], checkouts: [String], amounts: [String]) {
        self.conversions = conversions
        self.checkouts = checkouts
        self.amounts = amounts
    }

    /// Identifies the names in the database.
    package var hash: Int64 {
        Int64(
            bitPattern: StableHash(
                [conversions, checkouts, amounts].map { $0.joined(separator: "\u{1}") }.joined(separator: "\u{2}")
            ).high)
    }
}
