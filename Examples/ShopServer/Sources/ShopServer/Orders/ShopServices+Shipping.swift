import ShopAPI
import Tracing

extension ShopServices {
    /// Returns the price of shipping in a currency.
    func shippingCost(of items: [CartItem], to address: Address, in currency: Currency) async throws -> Money {
        guard items.count <= limits.productsInCart else {
            throw ShopFailure.badRequest("itemList", "holds more than \(limits.productsInCart) lines")
        }
        for (index, item) in items.enumerated() {
            guard catalogue[item.productId] != nil else {
                throw ShopFailure.badRequest("itemList[\(index)].productId", "no product of this shop has it")
            }
            guard (1...limits.quantityOfOneProduct).contains(item.quantity) else {
                throw ShopFailure.badRequest(
                    "itemList[\(index)].quantity", "expected 1 to \(limits.quantityOfOneProduct)",
                )
            }
        }
        try check(address, prefix: "address")
        let quote = try await quote(pieces: items.reduce(0) { $0 + $1.quantity }, to: address)
        return try convert(quote, to: currency)
    }

    /// Returns the price of shipping in US dollars; to an address outside the United States it waits for the flag
    /// `intlShippingSlowdown`.
    func quote(pieces: Int, to address: Address) async throws -> Money {
        try await withSpan(ShopSpan.quoteShipping) { span in
            let isInternational = Shipping.isInternational(address)
            span.attributes[DemoAttribute.shippingItemCount] = pieces
            span.attributes[DemoAttribute.shippingInternational] = isInternational
            let delay = await faults.flags.intlShippingSlowdown
            if isInternational, delay > 0 {
                span.attributes[DemoAttribute.faultFlag] = FaultFlags.Name.intlShippingSlowdown.rawValue
                try await sleep(.seconds(delay))
            }
            let cost = try Shipping.quote(pieces: pieces)
            span.attributes[DemoAttribute.shippingAmount] = cost.approximateValue
            span.attributes[DemoAttribute.currencyCode] = cost.currencyCode
            return cost
        }
    }

    /// An amount in another currency, in a span of its own.
    func convert(_ amount: Money, to currency: Currency) throws -> Money {
        try withSpan(ShopSpan.convertCurrency) { span in
            span.attributes[DemoAttribute.currencySource] = amount.currencyCode
            span.attributes[DemoAttribute.currencyCode] = currency.code
            return try amount.converted(to: currency)
        }
    }

    /// Refuses an address that no shipment could reach or no database should be asked to hold. The state may be empty:
    /// most countries have none.
    func check(_ address: Address, prefix: String) throws(ShopFailure) {
        let fields = [
            ("streetAddress", address.streetAddress, false), ("city", address.city, false),
            ("state", address.state, true), ("country", address.country, false), ("zipCode", address.zipCode, false),
        ]
        for (name, value, mayBeEmpty) in fields {
            guard mayBeEmpty || value.contains(where: { !$0.isWhitespace }) else {
                throw .badRequest("\(prefix).\(name)", "is empty")
            }
            guard value.utf8.count <= 256 else {
                throw .badRequest("\(prefix).\(name)", "is longer than 256 bytes")
            }
        }
    }
}
