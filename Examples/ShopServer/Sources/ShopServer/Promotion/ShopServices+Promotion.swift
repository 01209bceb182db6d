import HTTPTypes
import ShopAPI
import Tracing

extension ShopServices {
    /// Up to four products, none of those given.
    func recommendations(besides productIds: [String], in currency: Currency) async throws -> [Product] {
        guard productIds.count <= limits.productsInCart else {
            throw ShopFailure.badRequest("productIds", "holds more than \(limits.productsInCart) ids")
        }
        let cacheFails = await faults.flags.recommendationCacheFailure
        let choice = await withSpan(ShopSpan.recommend) { span in
            let choice = await recommender.choose(4, excluding: Set(productIds), cacheFails: cacheFails)
            span.attributes[DemoAttribute.recommendationCacheHit] = choice.cacheHit
            span.attributes[DemoAttribute.recommendationCandidateCount] = choice.candidateCount
            span.attributes[DemoAttribute.productCount] = choice.productIds.count
            return choice
        }
        return try choice.productIds.compactMap { id in try catalogue[id]?.priced(in: currency) }
    }

    func advertisements(for contextKeys: [String]) async throws -> [Advertisement] {
        guard contextKeys.count <= limits.productsInCart else {
            throw ShopFailure.badRequest("contextKeys", "holds more than \(limits.productsInCart) keys")
        }
        return try await withSpan(ShopSpan.chooseAds) { span in
            if await faults.flags.adFailure {
                throw ShopFailure.fault(
                    .adFailure, status: .serviceUnavailable,
                    "advertisements are unavailable (fault flag adFailure)",
                )
            }
            let chosen = Advertisements.matching(contextKeys, chance: chance)
            span.attributes[DemoAttribute.adContextKeys] = String(contextKeys.joined(separator: ",").prefix(256))
            span.attributes[DemoAttribute.adCount] = chosen.count
            return chosen
        }
    }
}
