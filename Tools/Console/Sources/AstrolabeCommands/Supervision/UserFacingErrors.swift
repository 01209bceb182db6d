import ArgumentParser

/// Prints any error of a command as one line on standard error and exits with a failure status.
enum UserFacingErrors {
    static func run(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as CancellationError {
            throw error
        } catch let error as ExitCode {
            throw error
        } catch {
            sayError("astrolabe: \(error)")
            throw ExitCode.failure
        }
    }
}
