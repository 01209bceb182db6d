import ConsoleAccess
import ServiceLifecycle

/// Stores when keys were used, and which agents asked for a policy, while the console runs.
struct UseService: Service {
    let access: AccessControl
    let policies: PolicyLibrary
    let interval: Duration

    func run() async {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: interval)) != nil {
                access.storeUses()
                await policies.storeAgents()
            }
        }
    }
}
