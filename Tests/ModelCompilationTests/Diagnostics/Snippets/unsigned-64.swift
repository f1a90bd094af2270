import Whimbrel

@Model final class Photo {
  var size: UInt64
  var count: UInt
}
