import Whimbrel

@Model final class Dog { var name: String }

@Model final class Person {
  var dogs: List<Dog>
}

@Model final class Owner {
  var dogsByName: RealmSwift.Map<String, Dog>
}
