import Logging
import ServiceLifecycle

/// Makes the columns of records while they arrive, so that no query has to read many, and what pages show of the whole
/// store.
struct QueryPreparation: Service {
    private static let interval = Duration.seconds(5)
    /// The intervals between two preparations of summaries.
    private static let intervalsOfSummaries = 12

    let queries: QuerySource
    let services: ConsoleServices
    let logger: Logger

    func run() async {
        await cancelWhenGracefulShutdown {
            var round = 0
            while !Task.isCancelled {
                do {
                    try await queries.prepare()
                    if round % Self.intervalsOfSummaries == 0 { try await services.prepareSummaries() }
                    round += 1
                } catch  where Task.isCancelled {
                    return
                } catch {
                    logger.error("what queries and pages need could not be prepared: \(error)")
                }
                try? await Task.sleep(for: Self.interval)
            }
        }
    }
}
