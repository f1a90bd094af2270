internal import WhimbrelEngine
public import WhimbrelInspection

/// Makes a store of the same shape as another, without the people in it.
///
/// Texts, data, UUIDs and object identifiers become others, with a key: see ``AnonymizationKey``.
/// The default is to replace every one of them, in lists, sets and maps, in values of any type, and
/// the names in maps too. Numbers, dates and truth values stay unless they are jittered, and so do
/// links, object IDs and the record layouts.
///
/// ```swift
/// let inspector = try StoreInspector(path: "customers.whimbrel")
/// var anonymization = StoreAnonymization(inspector, key: .random())
/// try anonymization.keepValues(of: "Country.*")
/// try anonymization.jitter("Customer.birthday", by: "30d")
/// let summary = try anonymization.write(to: .newFile("shareable.whimbrel"))
/// print(summary.text)
/// ```
///
/// **What stays of a text** is its shape. Letters become letters of the same script and case,
/// digits digits, emoji emoji; white space, punctuation and accents stay where they are. So do the
/// number of characters and the length in UTF-8 (but for domains that are not ASCII). And what is
/// read from texts can still be read:
///
/// | in a text | what it becomes |
/// |---|---|
/// | `bob@mail.example.org` | an address under `.test`, or `.zz` where the domain is short: no real one |
/// | `https://…` | another URL with the same scheme, separators and escapes |
/// | JSON | the same with other texts and numbers: its names, `true`, `false` and `null` stay |
/// | UUIDs, hexadecimal digits (16 or more, 7 or more with two letters and two digits, behind `0x` or as a colour) | the same in the same case; UUIDs keep version and variant |
/// | addresses of IPv4, IPv6 and MAC | the same; ports, the lengths of prefixes, `127.0.0.1`, `::1` and the like stay, and of a MAC address the second digit |
/// | IBANs | one of the same country with the right check digits |
/// | numbers | as many digits; leading zeros stay and no more are made; the size of an `Int64` stays one |
/// | `2025-05-01T12:30:00Z`, `31.12.2024`, `12/31/2024`, `5 Nov 2024`, `20241231` | another date of the calendar between 1900 and 2099, another time of day; the names of months and weekdays stay, and from the 29th on the day and the month |
/// | `Europe/Andorra` | another place of the same area, as identifiers of time zones have it |
/// | `+4230+00131` | another place on the globe, if it was one |
/// | `true`, `false` | themselves |
///
/// **What is equal stays equal**, and what differs differs, whatever the property or the store, so
/// values that join objects still do, and two stores that are replaced with the same key agree. So a
/// migration of the new store fails where that of the old one fails, unless it knows
/// the values themselves, or rules for digits and letters that are not in the table.
///
/// **What is not hidden**: how many objects there are and what links to what; lengths and shapes;
/// which values are the same and how often each occurs, which for a column of few values tells a lot;
/// numbers and dates that are not jittered. A short text has few others of its shape: there are ten
/// digits. The cases of enums and the default values of properties stay where they are values, and so
/// do the schema and the history of migrations with what migrations reported: they are the app's words.
public struct StoreAnonymization {
  let inspector: StoreInspector
  let key: AnonymizationKey
  /// What is asked for otherwise than by default.
  var choices: [PropertyName: Choice] = [:]

  /// A property, by its class and its place in it.
  struct PropertyName: Hashable {
    var className: String
    var position: Int
  }

  enum Choice {
    case keep, keepOrder
    case jitter(Jitter)
  }

  /// Anonymises the store of an inspector; nothing is done yet.
  public init(_ inspector: StoreInspector, key: AnonymizationKey) {
    self.inspector = inspector
    self.key = key
  }

  /// Leaves the values of a property as they are.
  ///
  /// - Parameter name: `Country.name`, or `Country.*` for all properties of a class.
  /// - Throws: `StoreError` with `unknownClass` or `unknownProperty`, and ``InspectionError`` with
  ///   `badArgument`.
  public mutating func keepValues(of name: String) throws {
    for property in try properties(name) { choices[property] = .keep }
  }

  /// Replaces the texts of a property by others that sort as they did.
  ///
  /// What sorts as before tells more: of many texts the beginnings stay. The texts no longer agree
  /// with those of other properties or stores, addresses are not kept apart from real ones, and
  /// dates not in the calendar. All texts of the property are kept in memory.
  ///
  /// - Parameter name: `Zone.identifier`, a property of the type `string`.
  /// - Throws: As ``keepValues(of:)``.
  public mutating func keepOrder(of name: String) throws {
    for property in try properties(name) {
      guard try type(of: property) == .string else {
        throw InspectionError.badArgument(
          name, "only the order of texts is kept, and this is no string",
          "Name a property of the type 'string'.")
      }
      choices[property] = .keepOrder
    }
  }

  /// Moves the numbers or dates of a property a little, the same way wherever the same value stands
  /// in it.
  ///
  /// A number keeps its sign, and stays within the bounds of its type; zero, infinity and NaN stay.
  /// Dates of whole seconds stay such, and whole days too.
  ///
  /// - Parameters:
  ///   - name: `Zone.latitude`; neither a primary key nor in a unique index.
  ///   - reach: how far at most: `10%` or `5` for numbers, and `30s`, `5m`, `12h`, `3d` or `2w` for
  ///     dates.
  /// - Throws: As ``keepValues(of:)``.
  public mutating func jitter(_ name: String, by reach: String) throws {
    guard let jitter = Jitter(reach) else {
      throw InspectionError.badArgument(
        reach, "it does not say how far", "Write '10%' or '5' for a number, '3d' for a date.")
    }
    for property in try properties(name) {
      guard jitter.fits(try type(of: property)) else {
        throw InspectionError.badArgument(
          "\(name)=\(reach)", "values of the type '\(try type(of: property))' cannot be moved so",
          "Write '10%' or '5' for a number, '3d' for a date.")
      }
      guard try !isUnique(property) else {
        throw InspectionError.badArgument(
          "\(name)=\(reach)", "its values have to be unique, and may become the same",
          "Leave it out.")
      }
      choices[property] = .jitter(jitter)
    }
  }

  /// Moves all dates of the store by the same time, which the key decides, so that the time between
  /// them stays. Dates of which something else is said are left out.
  ///
  /// - Parameter reach: how far at most: `12h`, `30d` or `52w`; from a day on it is whole days.
  /// - Throws: ``InspectionError`` with `badArgument`.
  public mutating func shiftDates(by reach: String) throws {
    guard let shift = Jitter(reach)?.shift(key.key(for: .jitter)) else {
      throw InspectionError.badArgument(
        reach, "it does not say how far dates move", "Write it as '30d' or '12h'.")
    }
    try moveAll { shift.fits($0.type) ? shift : nil }
  }

  /// Moves all numbers of the store a little, the same way wherever the same value stands. Left out
  /// are those of which something else is said, primary keys, unique ones and those of enums.
  ///
  /// - Parameter reach: how far at most: `10%` or `5`.
  /// - Throws: ``InspectionError`` with `badArgument`.
  public mutating func jitterNumbers(by reach: String) throws {
    guard let jitter = Jitter(reach), jitter.fits(.double) else {
      throw InspectionError.badArgument(
        reach, "it does not say how far numbers move", "Write it as '10%' or '5'.")
    }
    try moveAll { jitter.fits($0.type) ? jitter : nil }
  }

  private mutating func moveAll(_ jitter: (CatalogProperty) -> Jitter?) throws {
    for table in inspector.tables {
      for (position, property) in table.resolved.properties.enumerated() {
        let name = PropertyName(className: table.name, position: position)
        guard choices[name] == nil, property.cases == nil, let jitter = jitter(property),
          try !isUnique(name)
        else { continue }
        choices[name] = .jitter(jitter)
      }
    }
  }
}

// MARK: - Names

extension StoreAnonymization {
  private func properties(_ name: String) throws -> [PropertyName] {
    let classes = inspector.session.classes.map(\.resolved.name)
    guard let parts = QualifiedName(name, among: classes) else {
      throw InspectionError.badArgument(
        name, "it names no property", "Write it as 'Zone.comments', or 'Zone.*' for all.")
    }
    let table = try inspector.session.table(parts.first)
    let property = parts.second(among: table.resolved.properties.map(\.name))
    let positions =
      property == "*"
      ? Array(table.resolved.properties.indices)
      : [try table.resolved.requiredPosition(of: property)]
    return positions.map { PropertyName(className: parts.first, position: $0) }
  }

  private func type(of property: PropertyName) throws -> PropertyType {
    try inspector.session.table(property.className).resolved.properties[property.position].type
  }

  private func isUnique(_ property: PropertyName) throws -> Bool {
    let resolved = try inspector.session.table(property.className).resolved
    let entry = resolved.properties[property.position]
    return entry.isPrimaryKey
      || resolved.schema.indexes.contains {
        $0.kind == .unique && $0.properties.contains(entry.name)
      }
  }
}
