import AstrolabeTestSupport

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

// A process that the tests kill. It reports on its standard output what it was promised.
//
//     KillFixture journal <directory> <threads> <consume: 0 or 1>
//     KillFixture ring <directory> <threads>
//     KillFixture recorder <folder>
//     KillFixture queue <database> <seed>
//     KillFixture hold <database>

let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "journal" where arguments.count == 5:
    runJournal(arguments[2], threads: Int(arguments[3]) ?? 1, consumes: arguments[4] == "1")
case "ring" where arguments.count == 4:
    runRing(arguments[2], threads: Int(arguments[3]) ?? 1)
case "recorder" where arguments.count == 3:
    runRecorder(arguments[2])
case "queue" where arguments.count == 4:
    runQueue(arguments[2], seed: UInt64(arguments[3]) ?? 1)
case "hold" where arguments.count == 3:
    holdLease(arguments[2])
default:
    print("usage: KillFixture journal <directory> <threads> <consume> | ring <directory> <threads>")
    print("     | recorder <folder> | queue <database> <seed> | hold <database>")
    exit(2)
}

/// Sends a message; exits if the reader has gone.
func tell(_ message: Message) {
    if !message.send() { exit(3) }
}
