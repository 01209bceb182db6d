/// The key that commands send to a console, from the environment, where other users of the machine cannot see it.
enum ConsoleKey {
    static let variable = "ASTROLABE_KEY"

    /// `Authorization` with the key; empty if there is none.
    static var headers: [String: String] { headers(CommandShell.current.environment()[variable]) }

    static func headers(_ key: String?) -> [String: String] {
        guard let key, !key.isEmpty else { return [:] }
        return ["Authorization": "Bearer \(key)"]
    }
}
