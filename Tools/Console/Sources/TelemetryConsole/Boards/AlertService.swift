import ConsoleModel
import Logging
import ServiceLifecycle
import TelemetryBoards

/// Evaluates the alerts while the console runs, and posts their changes.
struct AlertService: Service {
    let monitor: AlertMonitor
    let webhooks: WebhookSender
    let store: any TelemetryStore
    /// The time between two passes. An alert has an interval of its own.
    let interval: Duration
    let logger: Logger

    func run() async {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                while !Task.isCancelled {
                    for change in await monitor.evaluate(at: Int64(clamping: store.configuration.now())) {
                        guard let webhook = change.status.rule.webhook else { continue }
                        group.addTask { await post(change, to: webhook) }
                    }
                    try? await Task.sleep(for: interval)
                }
            }
        }
    }

    private func post(_ change: AlertMonitor.Change, to webhook: WebhookAddress) async {
        let result = await webhooks.post(AlertMessage(change), to: webhook)
        await monitor.note(result.shown, ofWebhookOf: change.status)
        if result != .delivered {
            logger.warning(
                "alert not posted: \(result.reason)",
                metadata: ["alert": "\(change.status.rule.name)", "board": "\(change.status.board)"], )
        }
    }
}
