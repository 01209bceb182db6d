import Journal
import OfflineQueue
import Platform

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

// A process that the tests kill. It reports on its standard output, in messages of 24 bytes, each written by one call,
// what has been promised to it: after the promise was made, and so never more than that.
//
//     KillFixture journal <directory> <threads> <consume: 0 or 1>
//     KillFixture queue <database> <seed>

let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "journal" where arguments.count == 5:
    runJournal(arguments[2], threads: Int(arguments[3]) ?? 1, consumes: arguments[4] == "1")
case "queue" where arguments.count == 4:
    runQueue(arguments[2], seed: UInt64(arguments[3]) ?? 1)
default:
    print("usage: KillFixture journal <directory> <threads> <consume> | queue <database> <seed>")
    exit(2)
}
