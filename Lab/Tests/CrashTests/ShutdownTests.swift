import AstrolabeTestSupport
import Foundation
import Testing

#if os(Linux)
@Suite(.timeLimit(.minutes(5))) struct `A shutdown` {
    @Test func `ends the threads of the SDK`() throws {
        let app = try CrashingApp()
        #expect(try app.run("shutdown").terminationStatus == 0)
        let threads = app.note("threads").split(separator: "\n")
        // The watchdog's, and the one that waits for changes of the device's conditions.
        #expect(threads.contains("astrolabe.hangs"))
        #expect(threads.count >= 2, "\(threads)")
        #expect(app.note("threads-left") == "")
        #expect(!app.note("threads-of-others").isEmpty, "the threads were looked at")
    }
}
#endif
