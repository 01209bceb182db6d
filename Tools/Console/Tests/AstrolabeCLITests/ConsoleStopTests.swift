import AstrolabePlatform
import AstrolabeTestSupport
import BrowserKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A console that is asked to stop` {
    @Test func `says that it is not ready, and still listens for its balancer`() async throws {
        let folder = TemporaryDirectory()
        try PrivateFiles.makeDirectory(folder.path)
        // The test ends first, and kills it.
        let console = try await RunningConsole(
            database: folder.path + "/console.sqlite", ["--drain-seconds", "3600"])
        let address = "http://127.0.0.1:\(console.port)"
        #expect(try await HTTP.request("GET", address + "/readyz").text == "ok\n")
        console.terminate()
        try await eventually("the console is not ready") {
            try await HTTP.request("GET", address + "/readyz").status != 200
        }
        let response = try await HTTP.request("GET", address + "/readyz")
        #expect(response.status == 503)
        #expect(response.text == "stopping: requests that have begun are finished\n")
        #expect(try await HTTP.request("GET", address + "/healthz").status == 200)
        withExtendedLifetime(console) {}
    }

    @Test func `exits with 0 after that time`() async throws {
        let folder = TemporaryDirectory()
        try PrivateFiles.makeDirectory(folder.path)
        let console = try await RunningConsole(database: folder.path + "/console.sqlite", ["--drain-seconds", "1"])
        console.terminate()
        #expect(await console.status() == 0)
    }
}
