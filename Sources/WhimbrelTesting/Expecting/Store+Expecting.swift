internal import Foundation
public import Whimbrel
internal import WhimbrelEngine
internal import WhimbrelInspection

extension Store {
  /// Expects that a class has a number of objects. Otherwise the test fails at the line of
  /// the call.
  ///
  /// ```swift
  /// store.expectCount(of: Zone.self, 312)
  /// ```
  public func expectCount(
    of model: (some Model).Type, _ expected: Int, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let found = objects(model).count
    guard found != expected else { return }
    let wanted = StoreError.count(expected, "object")
    place.fail("Expected \(wanted) of '\(model._$schema.name)', but found \(found).")
  }

  /// Expects that an object with a primary key exists and has some values. Otherwise the
  /// test fails at the line of the call, and the failure says which values differ.
  ///
  /// ```swift
  /// store.expectObject(
  ///   Zone.self, "Europe/Andorra", ["latitude": 42.5, "country": "AD", "comments": ""])
  /// ```
  ///
  /// - Parameters:
  ///   - model: The class of the object.
  ///   - key: The primary key.
  ///   - expected: The expected values by property name, in stored form: an enum is its
  ///     raw value, and `.null` is nil. A link is the primary key of its target, and a
  ///     collection of links is a list of such keys. The elements of a set may be in any
  ///     order, and a number may be written in any type. Other properties may have any
  ///     value.
  ///   - fileID: The module and file of the test, for its failures.
  ///   - filePath: The path of that file.
  ///   - line: The line in it.
  ///   - column: The column in that line.
  /// - Returns: The object, or nil if it does not exist.
  @discardableResult
  public func expectObject<Element: Model>(
    _ model: Element.Type, _ key: Element._$Key,
    _ expected: KeyValuePairs<String, PropertyValue> = [:], fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Element? {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    do {
      let problems = try problems(of: model._$schema.name, key.propertyValue, expected)
      if !problems.isEmpty { place.fail(problems.joined(separator: "\n")) }
    } catch {
      place.fail("\(error)")
    }
    return object(ofType: model, forPrimaryKey: key)
  }

  private func problems(
    of className: String, _ key: PropertyValue, _ expected: KeyValuePairs<String, PropertyValue>
  ) throws -> [String] {
    let table = try session.table(className)
    guard let id = try table.find(key), let record = try table.record(id) else {
      return [try absence(of: key, in: table)]
    }
    var differences: [String] = []
    for (name, wanted) in expected {
      let position = try table.resolved.requiredPosition(of: name)
      let type = table.resolved.properties[position].type
      let found = try named(table.value(position, of: record, id), type)
      if !isExpected(found, wanted, type) {
        let texts = texts(wanted, found)
        differences.append("  \(name): expected \(texts.wanted), but found \(texts.found).")
      }
    }
    if differences.isEmpty { return [] }
    return ["\(className) \(text(key)) differs from what is expected:"] + differences
  }

  /// Returns a sentence about a missing object that names the most similar key.
  private func absence(of key: PropertyValue, in table: ClassTable) throws -> String {
    var known: [String] = []
    if case .string = key, let position = table.resolved.primaryKeyIndex {
      for id in try table.objectIDs().prefix(10_000) {
        guard let record = try table.record(id),
          case .string(let other) = try table.value(position, of: record, id)
        else { continue }
        known.append(other)
      }
    }
    var sentence = "No '\(table.name)' has the primary key \(text(key))"
    if case .string(let wanted) = key, let near = Spelling.closest(to: wanted, among: known) {
      sentence += "; one has '\(near)'"
    }
    return sentence + ". The class has \(StoreError.count(try table.count(), "object"))."
  }

  /// Returns a value in which links are replaced by the primary keys of their targets.
  private func named(_ value: PropertyValue, _ type: PropertyType) throws -> PropertyValue {
    switch value {
    case .link(let id):
      guard let name = type.linkedClass, let target = session.find(name),
        let position = target.resolved.primaryKeyIndex, let record = try target.record(id)
      else { return value }
      return try target.value(position, of: record, id)
    case .list(let elements): return .list(try elements.map { try named($0, type) })
    case .map(let elements): return .map(try elements.mapValues { try named($0, type) })
    default: return value
    }
  }

  /// Returns whether a value of a property is the one that a test wrote: a set in any order,
  /// and a number in any type.
  private func isExpected(
    _ found: PropertyValue, _ wanted: PropertyValue, _ type: PropertyType
  ) -> Bool {
    switch (found, wanted) {
    case (.list(let found), .list(let wanted)):
      guard found.count == wanted.count else { return false }
      guard case .set = type else { return zip(found, wanted).allSatisfy(isExpected) }
      var rest = found
      return wanted.allSatisfy { element in
        guard let place = rest.firstIndex(where: { isExpected($0, element) }) else { return false }
        rest.remove(at: place)
        return true
      }
    case (.map(let found), .map(let wanted)):
      return found.count == wanted.count
        && found.allSatisfy { key, value in wanted[key].map { isExpected(value, $0) } ?? false }
    default: return isExpected(found, wanted)
    }
  }

  /// Returns whether an element, or a value that is not a collection, is the one that a test
  /// wrote.
  private func isExpected(_ found: PropertyValue, _ wanted: PropertyValue) -> Bool {
    switch (found, wanted) {
    case (.int(let found), .float(let wanted)): found == Int64(exactly: wanted)
    // As doubles, large integers equal their neighbors.
    case (.int(let found), .double(let wanted)): found == Int64(exactly: wanted)
    case (.int(let found), .decimal(let wanted)): Decimal(found) == wanted
    case (.float(let found), .int(let wanted)): found == Float(wanted)
    case (.float(let found), .double(let wanted)): Double(found) == wanted || found == Float(wanted)
    case (.float(let found), .decimal(let wanted)): Decimal(string: "\(found)") == wanted
    case (.double(let found), .int(let wanted)): found == Double(wanted)
    case (.double(let found), .float(let wanted)): found == Double(wanted)
    case (.double(let found), .decimal(let wanted)): Decimal(string: "\(found)") == wanted
    case (.decimal(let found), .int(let wanted)): found == Decimal(wanted)
    case (.decimal(let found), .float(let wanted)): found == Decimal(string: "\(wanted)")
    case (.decimal(let found), .double(let wanted)): found == Decimal(string: "\(wanted)")
    default: found.isIdentical(to: wanted)
    }
  }

  /// Returns the texts of two values that differ. If these look the same, they show in which way the
  /// values differ.
  private func texts(
    _ wanted: PropertyValue, _ found: PropertyValue
  ) -> (wanted: String, found: String) {
    let texts = (text(wanted), text(found))
    if texts.0 != texts.1 { return texts }
    if wanted.kind != found.kind {
      return ("\(wanted.kind) \(texts.0)", "\(found.kind) \(texts.1)")
    }
    return (PlainText.ascii(texts.0), PlainText.ascii(texts.1))
  }

  private func text(_ value: PropertyValue) -> String {
    switch value {
    case .null: "nil"
    case .string(let text): "'\(text)'"
    case .bool(let bool): "\(bool)"
    case .int(let number): "\(number)"
    case .float(let number): "\(number)"
    case .double(let number): "\(number)"
    case .data: value.exactText ?? "\(value)"
    case .date: String(decoding: value.json, as: UTF8.self).replacing("\"", with: "")
    case .uuid(let uuid): "\(uuid)"
    case .decimal(let number): "\(number)"
    case .list(let elements): "[\(elements.map { self.text($0) }.joined(separator: ", "))]"
    case .map(let elements):
      "["
        + elements.sorted { $0.key < $1.key }.map { "'\($0.key)': \(self.text($0.value))" }
        .joined(separator: ", ") + "]"
    default: "\(value)"
    }
  }
}
