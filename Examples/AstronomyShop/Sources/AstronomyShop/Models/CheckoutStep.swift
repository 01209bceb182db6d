/// The parts of a checkout, in the order in which they are disclosed: each shows once the ones before it are done.
enum CheckoutStep: Int, CaseIterable, Comparable, Sendable {
    case cartReview
    case shipping
    case payment
    case placeOrder

    static func < (left: CheckoutStep, right: CheckoutStep) -> Bool { left.rawValue < right.rawValue }
}
