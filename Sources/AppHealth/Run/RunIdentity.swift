import AstrolabePlatform

/// The identity of a run: app, build and system.
package struct RunIdentity: Equatable, Sendable {
    /// A UUID.
    package internal(set) var runID: String
    /// The id of this run's crash, if there is one; a UUID.
    package internal(set) var crashID: String
    /// Changes with every boot of the system; empty if the system does not report it.
    package internal(set) var bootID: String
    package internal(set) var appVersion: String
    package internal(set) var appBuild: String
    package internal(set) var osName: String
    package internal(set) var osVersion: String

    package init(
        runID: String, crashID: String, bootID: String = SystemTime.bootID, appVersion: String = "",
        appBuild: String = "",
        osName: String = "", osVersion: String = "",
    ) {
        self.runID = runID
        self.crashID = crashID
        self.bootID = bootID
        self.appVersion = appVersion
        self.appBuild = appBuild
        self.osName = osName
        self.osVersion = osVersion
    }
}
