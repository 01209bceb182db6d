public import Foundation

extension NotificationCenter {
    /// Returns a publisher that emits the notifications of a name.
    public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
        Publisher(center: self, name: name, object: object)
    }

    /// Emits notifications on the thread that posts them.
    public struct Publisher: OpenCombine.Publisher {
        public typealias Output = Notification
        public typealias Failure = Never

        public let center: NotificationCenter
        public let name: Notification.Name
        public let object: AnyObject?

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Notification, S.Failure == Never {
            let notifications = PassthroughSubject<Notification, Never>()
            nonisolated(unsafe) let subject = notifications  // a subject orders the values that several threads send
            let observer = Observer(
                center,
                center.addObserver(forName: name, object: object, queue: nil) {
                    subject.send($0)
                })
            notifications.handleEvents(receiveCancel: observer.remove).subscribe(subscriber)
        }
    }

    private final class Observer {
        private let center: NotificationCenter
        private let token: any NSObjectProtocol

        init(_ center: NotificationCenter, _ token: any NSObjectProtocol) {
            self.center = center
            self.token = token
        }

        func remove() { center.removeObserver(token) }
    }
}
