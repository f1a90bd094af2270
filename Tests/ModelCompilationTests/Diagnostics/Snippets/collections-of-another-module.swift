import Whimbrel

@Model final class Dog { var name: String }

struct List<Content> { var content: Content }
struct MutableSet<Element: Codable & Hashable & Sendable>: PersistableCodable { var text = "" }

@Model final class Person {
  var dogs: List<Dog>
  var numbers: MutableSet<Int> = MutableSet()
}
