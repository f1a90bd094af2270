import Foundation
import Whimbrel

@Model final class Photo {
  var places: StoredList<URLComponents>
  var kinds: StoredSet<URLComponents>
  var names: StoredMap<String, URLComponents>
}
