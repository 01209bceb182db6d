import Policy
import Testing
