import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The errors by which a request says that it was cancelled.
enum Cancellation: CaseIterable {
    case urlError, foundationError, cancelledTask, cancelledByUser

    var error: any Error {
        switch self {
        case .urlError: URLError(.cancelled)
        case .foundationError: NSError(domain: NSURLErrorDomain, code: -999)
        case .cancelledTask: CancellationError()
        case .cancelledByUser: CocoaError(.userCancelled)
        }
    }
}
