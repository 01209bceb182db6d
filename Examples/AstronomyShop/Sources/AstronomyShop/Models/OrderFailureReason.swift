/// Why an order was not confirmed, as the value of `demo.order.failure.reason`.
enum OrderFailureReason: String {
    /// The shop does not accept the card.
    case paymentRefused = "payment_refused"
    /// The shop does not accept another part of the order, such as an empty cart.
    case orderRefused = "order_refused"
    /// The shop failed, and did not place the order.
    case shopFailed = "shop_failed"
    /// The request did not reach the shop.
    case unreachable
    /// There was no usable response, so the order may have been placed.
    case outcomeUnknown = "outcome_unknown"

    init(_ error: any Error) {
        switch error {
        case let refusal as CheckoutRefusal: self = refusal.concernsPayment ? .paymentRefused : .orderRefused
        case let error as HTTPError where error.leavesOutcomeOpen: self = .outcomeUnknown
        case let error as HTTPError where error.status == nil: self = .unreachable
        default: self = .shopFailed
        }
    }
}
