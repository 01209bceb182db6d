import Astrolabe
import AstrolabeTestSupport
import Foundation

// An app with the whole SDK in it, which the tests kill. It tells on its standard output each record's number, once
// the call that made the record has returned.
//
//     SDKFixture make <folder> <port> <run> <threads>       makes records on so many threads, until it is killed
//     SDKFixture send <folder> <port> <run>                 sends what earlier runs have left, until it is killed
//     SDKFixture launch <folder> <port> <run> <count> <milliseconds> return|crash|kill
//                                                           makes so many records, with the default flush interval, and
//                                                           ends after this time in this way
//     SDKFixture wait <folder> <port> <run> <count>         makes so many records, and tries to send them until it is
//                                                           killed, with the default flush interval
//     SDKFixture toggle <folder> <port> <run> <count>       refuses and agrees so often, and tells what it uses
//     SDKFixture restart <folder> <port> <run> <count>      starts and ends the SDK so often, and tells what it uses
//     SDKFixture finish <folder> <port> <run> <count>       makes so many records, delivers all that there are, leaves
//                                                           the ledger as <folder>/ledger-<run>.json, and ends

let arguments = CommandLine.arguments
guard arguments.count >= 5, let port = UInt16(arguments[3]), let run = UInt64(arguments[4]) else {
    print("usage: SDKFixture make|send|launch|wait|toggle|restart|finish <folder> <port> <run> [<threads>|<count>]")
    exit(2)
}
let number = arguments.count > 5 ? Int(arguments[5]) ?? 1 : 1
let app = SDKFixtureApp(
    folder: arguments[2], port: port, run: run, flushesOften: !["launch", "wait"].contains(arguments[1]))
switch arguments[1] {
case "make":
    let timers = (0..<number).map { app.recordForever(on: UInt64($0)) }
    withExtendedLifetime(timers) { while true { pause() } }
case "send":
    while true { pause() }
case "launch":
    app.record(number)
    usleep(UInt32(arguments[6]).map { $0 * 1_000 } ?? 0)
    switch arguments[7] {
    case "crash": abort()
    case "kill": kill(getpid(), SIGKILL)
    default: break
    }
case "wait":
    app.record(number)
    while true { pause() }
case "toggle":
    await app.toggleConsent(number)
case "restart":
    await app.restart(number, folder: arguments[2], port: port, run: run)
case "finish":
    app.record(number)
    let ledger = await app.deliverAll()
    let file = URL(fileURLWithPath: arguments[2]).appendingPathComponent("ledger-\(run).json")
    try JSONEncoder().encode(ledger).write(to: file)
default:
    exit(2)
}
