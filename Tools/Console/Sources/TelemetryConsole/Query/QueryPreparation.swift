import ConsoleModel
import Logging
import ServiceLifecycle

/// Makes the columns of records while they arrive, so that no query has to read many, and what pages show of the whole
/// store.
struct QueryPreparation: Service {
    private static let interval = Duration.seconds(60)
    /// The time until the next try after a failure.
    private static let pause = Duration.seconds(5)

    let queries: QuerySource
    let services: ConsoleServices
    let logger: Logger

    func run() async {
        await cancelWhenGracefulShutdown {
            async let columns: Void = prepareColumns()
            while !Task.isCancelled {
                let isDone = await attempt {
                    try await services.prepareSummaries()
                    await queries.saveSessions()
                }
                try? await Task.sleep(for: isDone ? Self.interval : Self.pause)
            }
            await columns
        }
    }

    /// Makes the columns of what is stored, and then of what arrives, until the store closes.
    private func prepareColumns() async {
        // Changes during a preparation are one.
        var changes = await queries.store.changes().makeAsyncIterator()
        repeat {
            while await !attempt({ try await queries.prepare() }), !Task.isCancelled {
                try? await Task.sleep(for: Self.pause)
            }
        } while await changes.next() != nil
    }

    /// Returns whether `work` succeeded.
    private func attempt(_ work: () async throws -> Void) async -> Bool {
        do {
            try await work()
            return true
        } catch {
            if !Task.isCancelled { logger.error("what queries and pages need could not be prepared: \(error)") }
            return false
        }
    }
}
