// The module is empty on platforms without UIKit, so that a manifest may name its product on every platform.
