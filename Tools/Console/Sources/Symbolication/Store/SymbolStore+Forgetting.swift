import Foundation

extension SymbolStore {
    /// Forgets the builds of files with that name, but for the `count` that were added last and those in `kept`.
    ///
    /// - Returns: What it has forgotten, the latest first.
    @discardableResult
    package func forget(named name: String, butLatest count: Int, and kept: Set<BuildID> = []) -> [StoredSymbols] {
        list().filter { $0.name == name }.dropFirst(count).filter { symbols in
            !kept.contains(symbols.buildID)
                && (try? FileManager.default.removeItem(at: place(of: symbols.buildID))) != nil
        }
    }
}
