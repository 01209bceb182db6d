/// Names of the spans that the shop's own work is under; requests and transactions are named by their middleware.
enum ShopSpan {
    /// Starts when an order's items are looked up and priced in the buyer's currency, ends with the last price.
    static let priceItems = "price items"

    /// Starts when the shipping cost of a number of pieces is asked for, ends with the cost in US dollars.
    static let quoteShipping = "quote shipping"

    /// Starts before one amount is converted, ends with it in the other currency.
    static let convertCurrency = "convert currency"

    /// Starts when a card is checked, ends when it is charged or refused.
    static let chargeCard = "charge card"

    /// Starts when a paid order is given to the carrier, ends with the tracking id.
    static let shipOrder = "ship order"

    /// Starts when the cart's lines are asked for, ends when they are read.
    static let readCart = "read cart"

    /// Starts when a line is to be added or lowered, ends when the cart is stored.
    static let changeCart = "change cart"

    /// Starts when a cart is to be deleted, ends when it is.
    static let emptyCart = "empty cart"

    /// Starts when a paid order is stored and its items leave the cart, ends with the transaction.
    static let confirmOrder = "confirm order"

    /// Starts when products are chosen for a recommendation, ends with their ids.
    static let recommend = "recommend products"

    /// Starts when advertisements are chosen, ends with them.
    static let chooseAds = "choose ads"
}
