internal import WhimbrelEngine
public import WhimbrelInspection

/// A copy of a store with the same shape and without the people in it.
///
/// Texts, data, UUIDs and object identifiers are replaced, with a key: see ``AnonymizationKey``. By
/// default all of them are replaced, also in lists, sets and maps and in properties of type `any`,
/// and so are the names in maps. Numbers, dates and truth values stay unless they are jittered.
/// Links, object IDs and record layouts always stay.
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
/// **A text keeps its shape.** Letters become letters of the same script and case, digits become
/// digits, and emoji become emoji. White space, punctuation and accents stay where they are. The
/// number of characters and the length in UTF-8 stay too, except in domains that are not ASCII. A
/// program that parses the text can still parse its replacement:
///
/// | in a text | replacement |
/// |---|---|
/// | `bob@mail.example.org` | an address under `.test`, or `.zz` where the domain is short: neither exists |
/// | `https://…` | another URL with the same scheme, separators and escapes |
/// | JSON | the same JSON with other strings and numbers: names, `true`, `false` and `null` stay |
/// | UUIDs, hexadecimal digits (16 or more, 7 or more with two letters and two digits, after `0x` or as a colour) | other digits in the same case; UUIDs keep version and variant |
/// | IPv4, IPv6 and MAC addresses | other addresses; ports, prefix lengths, `127.0.0.1`, `::1` and the like stay, and so does the second digit of a MAC address |
/// | IBANs | another IBAN of the same country with valid check digits |
/// | numbers | as many digits; leading zeros stay and no new ones are made; a number that fits an `Int64` still fits |
/// | `2025-05-01T12:30:00Z`, `31.12.2024`, `12/31/2024`, `5 Nov 2024`, `20241231` | another date of the calendar between 1900 and 2099, another time of day; names of months and weekdays stay; from the 29th on, day and month stay |
/// | `Europe/Andorra` | another place of the same area, as in identifiers of time zones |
/// | `+4230+00131` | another place on the globe, if it was one |
/// | `true`, `false` | themselves |
///
/// **Equal values stay equal, and different values stay different**, in all properties and stores.
/// Two values may differ from the same values elsewhere: the default of a property, which stays, and
/// the one that would become that default. So values that join objects still join them, and two
/// stores agree if they are replaced with the same key. A migration of the new store fails where a
/// migration of the old store fails, unless the migration tests for particular values, or has rules
/// for digits and letters that are not in the table.
///
/// **These facts are not hidden**: the number of objects and the links between them; lengths and
/// shapes; equal values and how often each occurs, which reveals much in a column of few values;
/// numbers and dates that are not jittered. A short text has few others of its shape: a digit has
/// ten. Cases of enums and default values stay where they are the value of a property. The schema
/// and the history of migrations with its reports stay too, because their words come from the app.
public struct StoreAnonymization {
  let inspector: StoreInspector
  let key: AnonymizationKey
  /// The choices that differ from the default.
  private(set) var choices: [PropertyName: Choice] = [:]

  /// A property, by its class and its position.
  struct PropertyName: Hashable {
    var className: String
    var position: Int
  }

  enum Choice: Hashable {
    case keep, keepOrder
    case jitter(Jitter)
  }

  /// Prepares to anonymise the store of an inspector. ``write(to:monitor:)`` does the work.
  public init(_ inspector: StoreInspector, key: AnonymizationKey) {
    self.inspector = inspector
    self.key = key
  }

  /// Leaves the values of a property as they are.
  ///
  /// - Parameter name: `Country.name`, or `Country.*` for all properties of a class.
  /// - Throws: `StoreError` with `unknownClass` or `unknownProperty`, and ``InspectionError`` with
  ///   `badArgument`, also if the property has another choice.
  public mutating func keepValues(of name: String) throws {
    for property in try properties(name) { try choose(.keep, for: property) }
  }

  /// Replaces the texts of a property by texts that sort in the same order.
  ///
  /// The order reveals more: if there are many texts, their beginnings stay. The new texts do not
  /// agree with the texts of other properties or stores, may contain real addresses, and may
  /// contain dates that are not in the calendar. A default value is replaced like the others, and
  /// the cases of an enum stay. All texts of the property are held in memory.
  ///
  /// - Parameter name: The property, as in `Zone.identifier`; its type must be `string`.
  /// - Throws: As ``keepValues(of:)``.
  public mutating func keepOrder(of name: String) throws {
    for property in try properties(name) {
      guard try type(of: property) == .string else {
        throw InspectionError.badArgument(
          name, "only strings keep their order, and the property is not a string",
          "Name a property of type 'string'.")
      }
      try choose(.keepOrder, for: property)
    }
  }

  /// Moves the numbers or dates of a property by a small amount, equal values by the same amount.
  ///
  /// A number keeps its sign and stays within the bounds of its type. Zero, infinity and NaN stay.
  /// Whole days stay whole days, and whole seconds whole seconds. The names in a map are replaced.
  ///
  /// - Parameters:
  ///   - name: The property, as in `Zone.latitude`. It must be neither the primary key nor in a
  ///     unique index.
  ///   - reach: The limit of a move: `10%` or `5` for numbers; `30s`, `5m`, `12h`, `3d` or `2w` for
  ///     dates.
  /// - Throws: As ``keepValues(of:)``.
  public mutating func jitter(_ name: String, by reach: String) throws {
    guard let jitter = Jitter(reach) else {
      throw InspectionError.badArgument(
        reach, "this is not a distance", "Write '10%' or '5' for a number, '3d' for a date.")
    }
    for property in try properties(name) {
      guard jitter.fits(try type(of: property)) else {
        throw InspectionError.badArgument(
          "\(name)=\(reach)",
          "values of type '\(try type(of: property))' cannot be moved by this distance",
          "Write '10%' or '5' for a number, '3d' for a date.")
      }
      guard try !isUnique(property) else {
        throw InspectionError.badArgument(
          "\(name)=\(reach)", "its values must be unique, and could become equal",
          "Omit this property.")
      }
      try choose(.jitter(jitter), for: property)
    }
  }

  /// Moves all dates of the store by the same time, so that the time between them stays. The key
  /// decides the time. Dates in sets and in values of type `any` stay. Properties with another choice
  /// are left out, so make these choices first.
  ///
  /// - Parameter reach: The limit of the move: `12h`, `30d` or `52w`, at most 10,000 years. If it is
  ///   a day or more, dates move by whole days.
  /// - Throws: ``InspectionError`` with `badArgument`.
  public mutating func shiftDates(by reach: String) throws {
    guard let shift = Jitter(reach)?.shift(key.key(for: .jitter)) else {
      throw InspectionError.badArgument(
        reach, "this is not a distance for dates, or more than 10,000 years",
        "Write it as '30d' or '12h'.")
    }
    try moveAll { shift.fits($0.type) ? shift : nil }
  }

  /// Moves all numbers of the store by a small amount, equal values by the same amount. Primary
  /// keys, properties in unique indexes, enums, sets, values of type `any`, and properties with
  /// another choice are left out, so make these choices first.
  ///
  /// - Parameter reach: The limit of a move: `10%` or `5`.
  /// - Throws: ``InspectionError`` with `badArgument`.
  public mutating func jitterNumbers(by reach: String) throws {
    guard let jitter = Jitter(reach), jitter.fits(.double) else {
      throw InspectionError.badArgument(
        reach, "this is not a distance for numbers", "Write it as '10%' or '5'.")
    }
    try moveAll { jitter.fits($0.type) ? jitter : nil }
  }

  /// Records the choice for a property. One property cannot have two different choices.
  private mutating func choose(_ choice: Choice, for property: PropertyName) throws {
    if let other = choices[property], other != choice {
      let table = try inspector.session.table(property.className)
      throw InspectionError.badArgument(
        "\(property.className).\(table.resolved.properties[property.position].name)",
        "two options contradict each other about this property",
        "Keep its values, keep its order, or move its values.")
    }
    choices[property] = choice
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
        name, "it does not name a property", "Write it as 'Zone.comments', or 'Zone.*' for all.")
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
