import AstrolabePlatform
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The completion handler of a task, with what has arrived for it.
///
/// `URLSession` on Linux follows redirects of tasks with completion handlers without asking the delegate. Therefore the
/// tasks of ``TracedURLSession`` have none, and the delegate proxy calls the handler.
final class TaskCompletion: Sendable {
    typealias DataHandler = @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    typealias FileHandler = @Sendable (URL?, URLResponse?, (any Error)?) -> Void

    private enum Handler {
        case data(DataHandler)
        case file(FileHandler)
    }

    private struct Arrived {
        var data = Data()
        var file: URL?
        var error: (any Error)?
    }

    private let handler: Handler
    private let arrived = Locked(Arrived())

    init(data handler: @escaping DataHandler) {
        self.handler = .data(handler)
    }

    /// - Parameter handler: The file exists until the handler returns.
    init(file handler: @escaping FileHandler) {
        self.handler = .file(handler)
    }

    func receive(_ data: Data) {
        arrived.withLock { $0.data.append(data) }
    }

    /// Takes the file over, because the system deletes it when this returns.
    func receive(fileAt location: URL) {
        let file = location.deletingLastPathComponent().appendingPathComponent("traced-\(UUID().uuidString)")
        do {
            try FileManager.default.moveItem(at: location, to: file)
            arrived.withLock { $0.file = file }
        } catch {
            arrived.withLock { $0.error = error }
        }
    }

    func finish(_ response: URLResponse?, _ error: (any Error)?) {
        let arrived = arrived.withLock { state in
            defer { state = Arrived() }
            return state
        }
        let error = error ?? arrived.error
        switch handler {
        case .data(let handler): handler(error == nil ? arrived.data : nil, response, error)
        case .file(let handler): handler(error == nil ? arrived.file : nil, response, error)
        }
        // The system clears its temporary folder too. The app may have moved the file.
        if let file = arrived.file { try? FileManager.default.removeItem(at: file) }
    }
}
