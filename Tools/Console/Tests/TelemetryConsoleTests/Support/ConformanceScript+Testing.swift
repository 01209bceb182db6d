import AstrolabeTestSupport
import Testing

extension ConformanceScript {
    static let needsPython = ConditionTrait.enabled(
        if: python != nil,
        "ASTROLABE_PYTHON names no Python with Scripts/requirements.txt installed; ./astrolabe test makes one")
}
