import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

struct SampleStoreTests {
}
