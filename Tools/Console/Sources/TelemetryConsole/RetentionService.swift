import ConsoleStore
import Logging
import ServiceLifecycle

/// Applies retention periodically while the console runs.
struct RetentionService: Service {
    let store: any TelemetryStore
    let interval: Duration
    let logger: Logger

    func run() async {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    let report = try await store.applyRetention()
                    if report.expiredRecords + report.evictedRecords > 0 {
                        logger.info(
                            "retention removed records",
                            metadata: ["expired": "\(report.expiredRecords)", "evicted": "\(report.evictedRecords)"],
                        )
                    }
                } catch  where Task.isCancelled {
                    return
                } catch {
                    logger.error("retention failed: \(error)")
                }
                try? await Task.sleep(for: interval)
            }
        }
    }
}
