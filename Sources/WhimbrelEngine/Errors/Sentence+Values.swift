extension Sentence {
  static func unreadableValue(class className: String, property: String) -> Sentence {
    Sentence(
      "read \(quoted(className + "." + property))",
      "an object has a value there that the property's Swift type cannot be made of",
      "Make the type accept every value that it ever stored, or mend the values in a migration.")
  }

  static func unusableValue(class className: String, property: String, type: String) -> Sentence {
    setting(
      className, property, "no \(quoted(type)) can be made of the value",
      "Give it a value that the type accepts.")
  }

  static func nilGiven(
    class className: String, property: String, isElement: Bool, hasDefault: Bool
  ) -> Sentence {
    if isElement {
      return setting(
        className, property, "nil was given for an element, and the elements are not optional",
        "Leave the element out, or declare a collection of optionals.")
    }
    let given = "nil was given, and the property is not optional"
    return hasDefault
      ? setting(
        className, property, given + "; its default value is for objects that get no value",
        "Leave the key out to get the default value, or make the property optional.")
      : setting(className, property, given, "Give it a value, or make the property optional.")
  }

  static func undecodableValue(
    class className: String, property: String, type: String, reason: String
  ) -> Sentence {
    setting(
      className, property, "no \(quoted(type)) can be decoded from the dictionary: \(reason)",
      "Give the keys and values that its 'init(from:)' needs.")
  }

  static func unencodableValue(class className: String, property: String, reason: String)
    -> Sentence
  {
    setting(
      className, property, "its value cannot be encoded: \(reason)",
      "Make 'encode(to:)' of its type succeed.")
  }

  static func notAnObject(class className: String, got: String) -> Sentence {
    Sentence(
      "make an object of \(quoted(className))", "it was given \(quoted(got))",
      "Give a dictionary of the properties by name, an array of them in the order declared, or "
        + "another object of the class.")
  }

  static func tooManyValues(class className: String, count: Int, limit: Int) -> Sentence {
    Sentence(
      "make an object of \(quoted(className))",
      "the array has \(Self.count(count, "value")) and the class has "
        + (limit == 1 ? "1 property" : "\(limit) properties"),
      "Give at most one value for each property, in the order declared.")
  }

  static func codingCycle(class className: String, path: [String], limit: Int) -> Sentence {
    // What repeats is at the end; the beginning says where it came from.
    let shown =
      path.count > 8
      ? path.prefix(2).joined(separator: " → ") + " → … → "
        + path.suffix(4).joined(separator: " → ")
      : path.joined(separator: " → ")
    return Sentence(
      "encode an object of \(quoted(className))",
      "links lead more than \(limit) objects deep, or in a circle, by way of \(shown)",
      "Write 'encode(to:)' for the class, and encode the primary key of the linked object instead "
        + "of the object.")
  }
}
