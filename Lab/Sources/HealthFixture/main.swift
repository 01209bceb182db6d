import Astrolabe
import CCrashes
import Foundation

// An app with the whole SDK in it, which ends in the way that it is told. It leaves the id of its session in the
// folder before.
//
//     HealthFixture <way to end> <folder> <port>
//     HealthFixture report <folder> <port>            sends what earlier runs have left, and ends in order
//     HealthFixture spin <folder> <port>              keeps a processor busy without the SDK, until its parent ends

let arguments = CommandLine.arguments
guard arguments.count == 4, let port = UInt16(arguments[3]) else {
    print("usage: HealthFixture <way to end>|report <folder> <port>")
    exit(2)
}
if arguments[1] == "spin" {
    let parent = getppid()
    while getppid() == parent {}
    exit(0)
}
// The thread that began this process may block signals, and then so does this one.
var none = sigset_t()
sigemptyset(&none)
pthread_sigmask(SIG_SETMASK, &none, nil)
// The parent may ignore it, and then so does this process.
if arguments[1] == "broken-pipe" { signal(SIGPIPE, SIG_DFL) }
if arguments[1] == "ignored-signal" { signal(SIGTERM, SIG_IGN) }
if arguments[1] == "earlier-handler" { install_handler_that_exits(42) }
let app = HealthFixtureApp(folder: arguments[2], port: port, ending: arguments[1])
app.run()
