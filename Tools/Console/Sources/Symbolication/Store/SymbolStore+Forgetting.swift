import Foundation

extension SymbolStore {
    /// Removes the builds of files with that name, except for the `count` newest ones and those in `kept`.
    ///
    /// - Returns: The removed builds, newest first.
    @discardableResult
    package func forget(named name: String, butLatest count: Int, and kept: Set<BuildID> = []) -> [StoredSymbols] {
        list().filter { $0.name == name }.dropFirst(count).filter { symbols in
            !kept.contains(symbols.buildID)
                && (try? FileManager.default.removeItem(at: place(of: symbols.buildID))) != nil
        }
    }
}
