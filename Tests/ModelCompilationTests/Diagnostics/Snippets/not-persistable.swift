import Foundation
import Whimbrel

@Model final class Photo {
  var title: String
  var place: URLComponents
}
