import ArgumentParser
import Foundation

/// Ends a command with one line that a person can act on, whatever the error was.
enum UserFacingErrors {
    static func run(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as CancellationError {
            throw error
        } catch let error as ExitCode {
            throw error
        } catch {
            FileHandle.standardError.write(Data("astrolabe: \(error)\n".utf8))
            throw ExitCode.failure
        }
    }
}
