import Whimbrel

@Model final class Person {
  var name: String
  var parent: Person
}
