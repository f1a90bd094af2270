internal import Foundation
internal import WhimbrelEngine

extension DumpHeader {
  /// Reads the first line of a dump.
  init(line: [UInt8]) throws(JSONProblem) {
    let node = try JSONParser.parse(line)
    guard case .object(let members) = node.content, let kind = members.first,
      kind.name == Self.memberNames[0], case .string(Self.kind) = kind.value.content
    else {
      throw JSONProblem(node.offset, "the first line does not begin with {\"whimbrel\":\"dump\"")
    }
    // A newer version is reported before its unknown members.
    if case .number(let text)? = members.first(where: { $0.name == "version" })?.value.content,
      let version = Int(text), version > Self.currentVersion
    {
      throw JSONProblem(
        0,
        "its version is \(version), but this version of Whimbrel reads dumps up to version "
          + "\(Self.currentVersion)")
    }
    for (index, member) in members.enumerated() {
      guard Self.memberNames.contains(member.name) else {
        throw JSONProblem(
          member.offset,
          "unknown member \(PlainText.quoted(member.name)) in the header")
      }
      if members[..<index].contains(where: { $0.name == member.name }) {
        throw JSONProblem(member.offset, "\(PlainText.quoted(member.name)) occurs twice")
      }
    }
    do {
      self = try Coding.decoder(refusesUnknownKeys: true)
        .decode(DumpHeader.self, from: Data(line))
    } catch let error as DecodingError {
      throw JSONProblem(0, error.reason(in: line))
    } catch {
      throw JSONProblem(0, "it cannot be read (\(error))")
    }
    guard version >= 1 else {
      throw JSONProblem(0, "dumps have no version \(version)")
    }
  }

  /// Returns the shape of the store that the header describes.
  func shape() throws(JSONProblem) -> StoreShape {
    let names = Set(schema.classes.map(\.name))
    var areKeys: Set<String> = []
    var seen: Set<String> = []
    for entry in objectIDs {
      let name = PlainText.quoted(entry.className)
      guard names.contains(entry.className) else {
        throw JSONProblem(0, "'objectIDs' has the class \(name), which is not in the schema")
      }
      guard seen.insert(entry.className).inserted else {
        throw JSONProblem(0, "'objectIDs' has the class \(name) twice")
      }
      if entry.areKeys == true { areKeys.insert(entry.className) }
    }
    var classes: [StoreShape.ClassShape] = []
    for entry in schema.classes {
      let isClustered = areKeys.contains(entry.name)
      let schema = ClassSchema(
        name: entry.name, isEmbedded: entry.isEmbedded, properties: entry.properties,
        indexes: entry.indexes)
      guard !isClustered || schema.primaryKey?.type.isInteger == true else {
        throw JSONProblem(
          0,
          "the IDs of \(PlainText.quoted(entry.name)) are not keys: the class has no integer "
            + "primary key"
        )
      }
      classes.append(
        StoreShape.ClassShape(
          schema: schema, isDeclared: entry.isDeclared, isClustered: isClustered))
    }
    return StoreShape(
      schemaVersion: schema.schemaVersion, uuid: uuid, creation: created, classes: classes,
      history: history)
  }
}
