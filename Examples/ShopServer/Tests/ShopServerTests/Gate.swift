/// Holds the first task that waits until it is opened, and reports its arrival. Lets all others pass, so that a test
/// fails that would otherwise wait for itself.
actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var watching: [CheckedContinuation<Void, Never>] = []
    private var hasArrived = false

    func wait() async {
        guard !hasArrived else { return }
        hasArrived = true
        watching.forEach { $0.resume() }
        watching = []
        if isOpen { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    func arrival() async {
        if hasArrived { return }
        await withCheckedContinuation { watching.append($0) }
    }

    func open() {
        isOpen = true
        waiting.forEach { $0.resume() }
        waiting = []
    }
}
