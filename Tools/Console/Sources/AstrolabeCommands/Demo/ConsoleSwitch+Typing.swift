import Foundation

extension ConsoleSwitch {
    /// Unplugs the console when `u` is typed, and plugs it in the next time.
    nonisolated func followTyping() async throws {
        for await line in TypedLines.all where line == "u" {
            if await isPluggedIn {
                try await unplug()
                say("The console is unplugged. What is sent to it waits in the queues of the senders.")
            } else {
                try await plugIn()
                say("The console is plugged in again. Queued telemetry arrives within seconds.")
            }
        }
    }
}

/// The lines typed on standard input, until it ends.
private enum TypedLines {
    static var all: AsyncStream<String> {
        let (lines, line) = AsyncStream.makeStream(of: String.self)
        let thread = Thread {
            while let text = readLine() { line.yield(text.trimmingCharacters(in: .whitespaces)) }
            line.finish()
        }
        thread.name = "typed-lines"
        thread.start()
        return lines
    }
}
