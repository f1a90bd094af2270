import Foundation
import Whimbrel

@Model final class Photo {
  @Indexed var pixels: Data
  @Indexed(.fullText) var size: Int
  @Indexed var anything: AnyValue
}
