import Foundation
import Whimbrel

@Model final class Photo {
  var places: List<URLComponents>
  var kinds: MutableSet<URLComponents>
  var names: Map<String, URLComponents>
}
