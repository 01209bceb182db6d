import ShopAPI

/// Recommends products from a list of ids that it keeps, as the demo's recommendation service does.
///
/// With the flag `recommendationCacheFailure` every second request misses, and what is then read is added to the list
/// together with a quarter of the list itself. Each request searches the whole list, so answers get slower and memory
/// grows, up to a limit; turning the flag off makes the list again.
actor Recommender {
    /// A recommendation, and the length of the list that it was chosen from.
    struct Choice: Equatable {
        var productIds: [String]
        var candidateCount: Int
        var cacheHit: Bool
    }

    private let catalogue: Catalogue
    private let chance: RandomSource
    private let largestList: Int
    private var cachedIds: [String] = []
    private var isFailing = false

    /// - Parameter largestList: ids at which the list stops growing; a million of them take 16 MB.
    init(catalogue: Catalogue, chance: RandomSource, largestList: Int = 1_000_000) {
        self.catalogue = catalogue
        self.chance = chance
        self.largestList = largestList
    }

    /// Up to `count` ids in random order, none of those excluded, none twice.
    func choose(_ count: Int, excluding: Set<String>, cacheFails: Bool) -> Choice {
        let cacheHit = prepareList(cacheFails: cacheFails)
        var candidates = Set<String>()
        for id in cachedIds where !excluding.contains(id) {
            candidates.insert(id)
        }
        return Choice(
            productIds: chance.pick(count, of: candidates.sorted()), candidateCount: cachedIds.count,
            cacheHit: cacheHit,
        )
    }

    private func prepareList(cacheFails: Bool) -> Bool {
        let starts = cachedIds.isEmpty || isFailing && !cacheFails
        isFailing = cacheFails
        if starts {
            cachedIds = catalogue.products.map(\.id)
            return false
        }
        guard cacheFails, chance.happens(percent: 50) else { return true }
        let grown = catalogue.products.map(\.id) + cachedIds.prefix(cachedIds.count / 4)
        cachedIds.append(contentsOf: grown.prefix(largestList - cachedIds.count))
        return false
    }
}
