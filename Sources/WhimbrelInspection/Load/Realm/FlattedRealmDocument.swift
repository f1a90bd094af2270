internal import Foundation

/// An export as flatted JSON: the first element has the classes, and texts, arrays and objects
/// in all elements are the places of others.
///
/// Elements are read from the file when they are needed. It needs memory for the place of each
/// element, 8 bytes, and for the places of the objects of one class.
struct FlattedRealmDocument: RealmDocument {
  let name: String
  private let elements: Elements

  /// - Throws: ``InspectionError`` with `badImport` or `cannotRead`.
  init(_ input: RepeatableInput.Opened) throws {
    name = input.name
    elements = try Elements(input)
  }

  func forEach(_ body: (_ className: String, RealmObjectNode) throws -> Void) throws {
    guard case .object(let classes) = try elements.parsed(0).content else {
      throw elements.problem(0, "the first element should be an object")
    }
    for member in classes {
      let list = try elements.index(member.value, in: 0)
      guard case .array(let objects) = try elements.parsed(list).content else {
        throw elements.problem(list, "an array of objects should be here")
      }
      for object in objects {
        let index = try elements.index(object, in: list)
        guard case .object(let node) = try elements.node(at: index) else {
          throw elements.problem(index, "an object should be here")
        }
        try body(member.name, node)
      }
    }
  }
}

extension FlattedRealmDocument {
  /// The elements of the array.
  fileprivate final class Elements {
    private let name: String
    private let file: FileHandle
    /// Where elements begin, and where the last ends.
    private var offsets: [UInt64] = []
    /// How deep arrays may be nested.
    private static let maximumDepth = 100

    init(_ input: RepeatableInput.Opened) throws {
      name = input.name
      var stream = JSONStream(try input.source())
      var offsets: [UInt64] = []
      var end = 0
      try stream.forEachElement(of: JSONStream.array) { stream in
        let element = try stream.element()
        offsets.append(UInt64(element.offset))
        end = stream.offset
      }
      try stream.requireEnd()
      offsets.append(UInt64(end))
      self.offsets = offsets
      guard let file = FileHandle(forReadingAtPath: input.path) else {
        throw InspectionError.cannotRead(input.name, number: errno)
      }
      self.file = file
    }

    func problem(_ index: Int, _ reason: String) -> InspectionError {
      InspectionError.badInput(.badImport, name, "element \(index)", reason)
    }

    /// Reads an element.
    func parsed(_ index: Int) throws -> JSONNode {
      guard index >= 0, index < offsets.count - 1 else {
        throw problem(index, "there is no such element")
      }
      do {
        try file.seek(toOffset: offsets[index])
        let data = try file.read(upToCount: Int(offsets[index + 1] - offsets[index])) ?? Data()
        var bytes = data.map { $0 == 0x0A ? 0x20 : $0 }
        while let byte = bytes.last, byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x2C {
          bytes.removeLast()
        }
        return try JSONParser.parse(bytes)
      } catch let error as JSONProblem {
        throw problem(index, error.reason)
      } catch let error as CocoaError {
        let number = (error.underlying as? POSIXError)?.code.rawValue
        throw InspectionError.cannotRead(name, number: number ?? EIO)
      }
    }

    /// The place that a text in an element names.
    func index(_ node: JSONNode, in element: Int) throws -> Int {
      guard case .string(let text) = node.content, let index = Int(text) else {
        throw problem(element, "the place of another element should be here, and not \(node.kind)")
      }
      return index
    }

    /// The value of an element.
    func node(at index: Int, depth: Int = 0) throws -> RealmNode {
      guard depth < Self.maximumDepth else { throw problem(index, "it is nested too deeply") }
      let element = try parsed(index)
      switch element.content {
      case .string(let text): return .string(text)
      case .array(let nodes):
        return .array(try nodes.map { try node($0, in: index, depth: depth + 1) })
      case .object:
        // Read when it is looked into: objects may form circles.
        return .object(
          RealmObjectNode(.index(index)) {
            guard case .object(let members) = try self.parsed(index).content else { return [] }
            return try members.map {
              (name: $0.name, value: try self.node($0.value, in: index, depth: 0))
            }
          })
      default: throw problem(index, "a text, an array or an object should be here")
      }
    }

    private func node(_ node: JSONNode, in index: Int, depth: Int) throws -> RealmNode {
      switch node.content {
      case .null: return .null
      case .bool(let bool): return .bool(bool)
      case .number(let text): return .number(text)
      default: return try self.node(at: try self.index(node, in: index), depth: depth)
      }
    }
  }
}
