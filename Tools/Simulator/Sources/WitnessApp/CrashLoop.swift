import Foundation

/// The launches that are to crash, one byte each in a file that outlives them.
struct CrashLoop: Sendable {
    let path: String

    /// Makes one more launch crash.
    func addCrash() { change(by: 1) }

    /// Returns true if this launch is to crash. It is not counted again.
    func takeCrash() -> Bool {
        guard count > 0 else { return false }
        change(by: -1)
        return true
    }

    private var count: Int { (try? Data(contentsOf: URL(fileURLWithPath: path)))?.count ?? 0 }

    private func change(by difference: Int) {
        do {
            try Data(count: count + difference).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            exit(3)
        }
    }
}
