import Whimbrel

typealias Tags = StoredSet<String>
typealias Names<Value: CollectionElement> = StoredMap<String, Value>

@Model final class Zone {
  var aliases: StoredList<String>
  var tags: Tags
  var names: Names<Int> = [:]
}
