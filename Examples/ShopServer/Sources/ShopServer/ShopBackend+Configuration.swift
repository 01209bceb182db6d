package import Foundation
package import Logging
package import ShopAPI

extension ShopBackend {
    /// The name of the service and of its logger.
    package static let name = "shop-server"

    /// The settings of the shop. The defaults suit one developer's machine: loopback, a free port, a database in
    /// memory.
    package struct Configuration: Sendable {
        /// The address to listen on; "0.0.0.0" lets phones on the same network in.
        package var host = "127.0.0.1"

        /// The port to listen on; 0 takes a free one, which ``ShopBackend/run(onReady:)`` tells.
        package var port = 0

        /// The SQLite file, created where it does not exist; nil keeps carts and orders in memory.
        package var databasePath: String?

        /// Fault flags at the start.
        package var flags = FaultFlags()

        package var limits = Limits()

        /// The lifetime of a cart after its last change.
        package var cartLifetime: Duration = .seconds(60 * 60)

        /// The time that requests under way may take to end at shutdown. It outlasts the slowest fault but one:
        /// pictures that must wait longer are cut off.
        package var shutdownTime: Duration = .seconds(15)

        package var logger = Logger(label: ShopBackend.name)

        /// The answers to a console that asks for the shop's part of traces; nil answers none.
        package var promotion: Promotion?

        /// The time, for carts' expiry, cards' validity and orders' dates.
        package var now: @Sendable () -> Date = { Date() }

        /// Random bits, for ids, advertisements, recommendations and faults with a percentage.
        package var random: @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }

        /// Waits, for the faults that make the shop slow.
        package var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

        package init() {}
    }

    /// The handler of requests to the flight recorder, which the program has that started the SDK.
    package struct Promotion: Sendable {
        package let path: String
        package let maximumBodyBytes: Int
        /// Gets the value of `Authorization` and the body; returns the status and a body of JSON.
        package let respond: @Sendable (_ authorization: String?, _ body: [UInt8]) -> (status: Int, body: String)

        package init(
            path: String, maximumBodyBytes: Int,
            respond: @escaping @Sendable (_ authorization: String?, _ body: [UInt8]) -> (status: Int, body: String),
        ) {
            self.path = path
            self.maximumBodyBytes = maximumBodyBytes
            self.respond = respond
        }
    }

    /// Bounds on what the shop takes in and keeps.
    package struct Limits: Sendable, Hashable {
        /// Bytes of a request's body; larger bodies get a 413 response.
        package var bodyBytes = 64 * 1024

        /// Connections at a time, half of them from one address; a further one takes the place of an idle one.
        package var connections = 1024

        /// Pieces of one product in a cart or a shipping quote.
        package var quantityOfOneProduct = 999

        /// Different products in a cart, lines in a shipping quote, ids to recommend for, and context keys.
        package var productsInCart = 50

        /// Carts at a time.
        package var carts = 100_000

        /// Orders kept; the oldest leave first.
        package var orders = 100_000

        package init() {}
    }
}
