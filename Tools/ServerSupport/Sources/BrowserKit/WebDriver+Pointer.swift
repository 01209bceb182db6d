// Mouse events, which the browser handles as those of a user.

extension WebDriver {
    /// Presses the mouse on the first element that matches, moves it, and releases it.
    ///
    /// - Parameters:
    ///   - start: Where the drag starts, in pixels from the center of the element.
    ///   - steps: How far the mouse moves in each step, in pixels.
    ///   - beforeRelease: Called while the mouse is still pressed.
    package func drag(
        _ selector: String, from start: (x: Int, y: Int) = (0, 0), by steps: [(x: Int, y: Int)],
        beforeRelease: () async throws -> Void = {},
    ) async throws {
        var actions: [JSON] = [
            [
                "type": "pointerMove", "duration": 0, "origin": try await element(selector), "x": .integer(start.x),
                "y": .integer(start.y),
            ],
            ["type": "pointerDown", "button": 0],
        ]
        actions += steps.map { step in
            [
                "type": "pointerMove", "duration": 40, "origin": "pointer", "x": .integer(step.x),
                "y": .integer(step.y),
            ]
        }
        try await mouse(actions)
        try await beforeRelease()
        try await mouse([["type": "pointerUp", "button": 0]])
    }

    /// Turns the mouse wheel over the first element that matches, by a number of pixels.
    package func scroll(_ selector: String, by distance: Int) async throws {
        let scroll: JSON = [
            "type": "scroll", "duration": 0, "origin": try await element(selector), "x": 0, "y": 0, "deltaX": 0,
            "deltaY": .integer(distance),
        ]
        try await post("actions", ["actions": [["type": "wheel", "id": "wheel", "actions": [scroll]]]])
    }

    private func mouse(_ actions: [JSON]) async throws {
        try await post(
            "actions",
            [
                "actions": [
                    [
                        "type": "pointer", "id": "mouse", "parameters": ["pointerType": "mouse"],
                        "actions": .array(actions),
                    ]
                ]
            ])
    }

    private func element(_ selector: String) async throws -> JSON {
        let key = "element-6066-11e4-a52e-4f735466cecf"
        let found = try await post("element", ["using": "css selector", "value": .string(selector)])
        return [key: .string(found[key].text ?? "")]
    }
}
