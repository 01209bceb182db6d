import ConsoleAccess
import ServiceLifecycle

/// Stores when keys were used, while the console runs.
struct KeyUseService: Service {
    let access: AccessControl
    let interval: Duration

    func run() async {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: interval)) != nil { access.storeUses() }
        }
    }
}
