internal import Foundation
internal import WhimbrelInspection

/// An export in flatted JSON. The first element holds the classes. Texts, arrays and objects in an
/// element are written as the index of another element.
///
/// Any element may refer to any other, so all elements are held in memory: some five times the size
/// of the file. A version that read elements from the file on demand took twenty times as long.
struct FlattedRealmDocument: RealmDocument {
  let name: String
  private let elements: FlattedElements

  /// - Throws: ``InspectionError`` with `badImport` or `cannotRead`.
  init(_ input: RepeatableInput) throws {
    name = input.name
    elements = try FlattedElements(input)
  }

  func forEach(_ body: (_ className: String, RealmObjectNode) throws -> Void) throws {
    guard case .object(let classes) = try elements.content(0) else {
      throw elements.problem(0, "the first element must be an object")
    }
    for member in classes {
      let list = try elements.index(member.value, in: 0)
      guard case .array(let objects) = try elements.content(list) else {
        throw elements.problem(list, "expected an array of objects")
      }
      for object in objects {
        let index = try elements.index(object, in: list)
        guard case .object(let node) = try elements.node(at: index) else {
          throw elements.problem(index, "expected an object")
        }
        try body(member.name, node)
      }
    }
  }
}
