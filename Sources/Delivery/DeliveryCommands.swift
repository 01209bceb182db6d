package import AstrolabePolicy

/// Forwards the policy's commands to delivery in order, from any thread and without waiting.
///
/// If the app enters the background or terminates, a flush requests background time before the call returns. The app
/// may be suspended a moment later.
package final class DeliveryCommands: Sendable {
    private indirect enum Command {
        /// Carries no plan, so that a delayed command cannot overwrite a newer plan.
        case reschedule
        /// `end` ends the background work that waits for the flush.
        case flush(FlushTrigger, end: AsyncStream<Never>.Continuation?)
    }

    private let delivery: DeliveryService
    private let background: BackgroundWork
    private let commands: AsyncStream<Command>.Continuation

    package init(_ delivery: DeliveryService, background: BackgroundWork = .system) {
        self.delivery = delivery
        self.background = background
        let (stream, commands) = AsyncStream.makeStream(of: Command.self)
        self.commands = commands
        Task(priority: .utility) {
            for await command in stream { await Self.perform(command, on: delivery) }
        }
    }

    deinit { commands.finish() }

    package func reschedule() { commands.yield(.reschedule) }

    package func flush(_ trigger: FlushTrigger) {
        switch trigger {
        case .enteredBackground, .terminating:
            let (ends, end) = AsyncStream.makeStream(of: Never.self)
            background {
                for await _ in ends {}
            } onExpire: { [delivery] in
                Task { await delivery.expire() }
            }
            if case .terminated = commands.yield(.flush(trigger, end: end)) { end.finish() }
        case .networkReturned, .uploadsAllowed, .becameActive, .memoryCritical:
            commands.yield(.flush(trigger, end: nil))
        }
    }

    private static func perform(_ command: Command, on delivery: DeliveryService) async {
        switch command {
        case .reschedule: await delivery.reschedule()
        case .flush(let trigger, let end):
            // Runs concurrently with the commands that follow: the next one may stop the wait for the network.
            Task {
                await delivery.flush(.conditions(trigger))
                end?.finish()
            }
        }
    }
}
