import Foundation
import Whimbrel

@Model final class Zone: NSObject {
  var name: String
}
