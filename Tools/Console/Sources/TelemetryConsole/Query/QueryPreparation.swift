import Logging
import ServiceLifecycle

/// Makes the columns of records while they arrive, so that no query has to read many.
struct QueryPreparation: Service {
    private static let interval = Duration.seconds(5)

    let queries: QuerySource
    let logger: Logger

    func run() async {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await queries.prepare()
                } catch {
                    logger.error("columns for queries could not be made: \(error)")
                }
                try? await Task.sleep(for: Self.interval)
            }
        }
    }
}
