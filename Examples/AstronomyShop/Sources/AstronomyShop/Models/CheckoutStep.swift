/// The steps of a checkout in order. Each is shown when the steps before it are complete.
enum CheckoutStep: Int, CaseIterable, Comparable, Sendable {
    case cartReview
    case shipping
    case payment
    case placeOrder

    static func < (left: CheckoutStep, right: CheckoutStep) -> Bool { left.rawValue < right.rawValue }
}
