import ConsoleModel
import ServiceLifecycle

/// Evaluates the alerts while the console runs, and sends the notices of their changes.
struct AlertService: Service {
    let monitor: AlertMonitor
    let notices: NoticeQueue
    let store: any TelemetryStore
    /// The time between two passes. An alert has an interval of its own.
    let interval: Duration

    func run() async {
        let (turns, turn) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                // A slow receiver does not delay the evaluation, and a slow query no notice.
                group.addTask { for await _ in turns { await notices.send() } }
                group.addTask { await repeated { turn.yield() } }
                await repeated {
                    let changes = await monitor.evaluate(at: Int64(clamping: store.configuration.now()))
                    if !changes.isEmpty { turn.yield() }
                }
            }
        }
    }

    private func repeated(_ pass: () async -> Void) async {
        while !Task.isCancelled {
            await pass()
            try? await Task.sleep(for: interval)
        }
    }
}
