import AstrolabeDeviceConditions
import Foundation
import ViewTree

private enum Envelope: String, CodingKey {
    case type
    case body
}

// Each message is an object `{"type": …, "body": …}`. Messages without data have no body.

extension AppMessage: Codable {
    private enum Kind: String, Codable {
        case hello, screen, patch, outcome, resource, frames, status, clock
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Envelope.self)
        switch try container.decode(Kind.self, forKey: .type) {
        case .hello: self = .hello(try container.decode(AppHello.self, forKey: .body))
        case .screen: self = .screen(try container.decode(RenderedTree.self, forKey: .body))
        case .patch: self = .patch(try container.decode(TreePatch.self, forKey: .body))
        case .outcome: self = .outcome(try container.decode(EventReply.self, forKey: .body))
        case .resource: self = .resource(try container.decode(ResourceReply.self, forKey: .body))
        case .frames: self = .frames(try container.decode(FrameSummary.self, forKey: .body))
        case .status: self = .status(try container.decode(AppStatus.self, forKey: .body))
        case .clock: self = .clock(try container.decode(Double.self, forKey: .body))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Envelope.self)
        func put(_ kind: Kind, _ body: some Encodable) throws {
            try container.encode(kind, forKey: .type)
            try container.encode(body, forKey: .body)
        }
        switch self {
        case .hello(let body): try put(.hello, body)
        case .screen(let body): try put(.screen, body)
        case .patch(let body): try put(.patch, body)
        case .outcome(let body): try put(.outcome, body)
        case .resource(let body): try put(.resource, body)
        case .frames(let body): try put(.frames, body)
        case .status(let body): try put(.status, body)
        case .clock(let body): try put(.clock, body)
        }
    }
}

extension DeviceMessage: Codable {
    private enum Kind: String, Codable {
        case begin, conditions, settings, event, open, resource, screen, clock, keepRecording, terminate
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Envelope.self)
        switch try container.decode(Kind.self, forKey: .type) {
        case .begin: self = .begin(try container.decode(DeviceBegin.self, forKey: .body))
        case .conditions: self = .conditions(try container.decode(ConditionsUpdate.self, forKey: .body))
        case .settings: self = .settings(try container.decode(DeviceSettings.self, forKey: .body))
        case .event: self = .event(try container.decode(NumberedEvent.self, forKey: .body))
        case .open: self = .open(try container.decode(URL.self, forKey: .body))
        case .resource: self = .resource(try container.decode(String.self, forKey: .body))
        case .screen: self = .screen
        case .clock: self = .clock(try container.decode(DeviceClock.self, forKey: .body))
        case .keepRecording: self = .keepRecording
        case .terminate: self = .terminate
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Envelope.self)
        func put(_ kind: Kind, _ body: (some Encodable)?) throws {
            try container.encode(kind, forKey: .type)
            if let body { try container.encode(body, forKey: .body) }
        }
        switch self {
        case .begin(let body): try put(.begin, body)
        case .conditions(let body): try put(.conditions, body)
        case .settings(let body): try put(.settings, body)
        case .event(let body): try put(.event, body)
        case .open(let body): try put(.open, body)
        case .resource(let body): try put(.resource, body)
        case .screen: try put(.screen, String?.none)
        case .clock(let body): try put(.clock, body)
        case .keepRecording: try put(.keepRecording, String?.none)
        case .terminate: try put(.terminate, String?.none)
        }
    }
}
