import HTTPTypes
import Hummingbird
import Logging
import ShopAPI
import Tracing

extension ShopServices {
    /// Checks the card and charges it, unless the request is a load generator's.
    ///
    /// - Returns: whether money moved.
    func charge(_ card: CreditCard, _ total: Money, context: ShopRequestContext) async throws -> Bool {
        let isSynthetic = context.correlation.isSynthetic
        do {
            try await withSpan(ShopSpan.chargeCard) { span in
                try await failByFlag()
                let network = try Payment.check(card, at: now())
                span.attributes[DemoAttribute.paymentCardType] = network.rawValue
                span.attributes[DemoAttribute.paymentTransactionId] = chance.uuid()
                span.attributes[DemoAttribute.paymentCharged] = !isSynthetic
                span.attributes[DemoAttribute.orderAmount] = total.approximateValue
                span.attributes[DemoAttribute.currencyCode] = total.currencyCode
            }
            return !isSynthetic
        } catch let refusal as Payment.Refusal {
            report(refusal.reason, context)
            throw ShopFailure(
                status: .badRequest, message: "\(refusal.field): \(refusal.message)", reason: refusal.description,
            )
        } catch let failure as ShopFailure {
            report(failure.reason == FaultFlags.Name.paymentFailure.rawValue ? "declined" : "unreachable", context)
            throw failure
        }
    }

    private func failByFlag() async throws(ShopFailure) {
        let flags = await faults.flags
        if flags.paymentUnreachable {
            throw .fault(
                .paymentUnreachable, status: .serviceUnavailable,
                "the payment service cannot be reached; nothing was charged (fault flag paymentUnreachable)",
            )
        }
        if chance.happens(percent: flags.paymentFailure) {
            throw .fault(
                .paymentFailure, status: .internalServerError,
                "the payment failed; nothing was charged (fault flag paymentFailure)",
            )
        }
    }

    private func report(_ reason: String, _ context: ShopRequestContext) {
        ShopMetrics.recordPaymentFailure(reason: reason)
        context.logger.notice(
            "payment refused", metadata: [DemoAttribute.paymentFailureReason: .string(reason)],
        )
    }
}
