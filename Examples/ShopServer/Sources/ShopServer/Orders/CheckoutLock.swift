import HTTPTypes

/// Lets one checkout of a cart run at a time, so that a doubled request cannot charge twice.
actor CheckoutLock {
    private var busy: Set<String> = []

    /// Runs a checkout, or refuses with 409 where one of the same cart is under way.
    nonisolated func take<Result: Sendable>(
        _ userId: String, _ checkout: () async throws -> Result,
    ) async throws -> Result {
        guard await enter(userId) else {
            throw ShopFailure(status: .conflict, message: "userId: a checkout of this cart is under way")
        }
        do {
            let result = try await checkout()
            await leave(userId)
            return result
        } catch {
            await leave(userId)
            throw error
        }
    }

    private func enter(_ userId: String) -> Bool {
        busy.insert(userId).inserted
    }

    private func leave(_ userId: String) {
        busy.remove(userId)
    }
}
