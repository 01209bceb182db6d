/// What a run of the app was: which build, on which system.
package struct RunIdentity: Hashable, Sendable {
    /// A UUID.
    package var runID: String
    /// Names a crash of this run, should there be one. A UUID.
    package var crashID: String
    /// Changes with every start of the system; empty where it does not tell.
    package var bootID: String
    package var appVersion: String
    package var appBuild: String
    package var osName: String
    package var osVersion: String

    package init(
        runID: String, crashID: String, bootID: String = SystemBoot.id, appVersion: String = "", appBuild: String = "",
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
