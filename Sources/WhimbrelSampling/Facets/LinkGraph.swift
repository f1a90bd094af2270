internal import WhimbrelEngine
internal import WhimbrelInspection

/// Which objects of a store link to which.
///
/// - Complexity: 4 bytes of memory for each link, and 4 for each object and property of links;
///   4 more for each object where there are embedded ones.
struct LinkGraph {
  /// The links of one property.
  struct Group {
    let classIndex: Int
    /// The place of the property among those of the class.
    let position: Int
    /// Whether targets belong to the object that links to them.
    let isOwning: Bool
    /// The class of the targets, or nil where they may be of any.
    let targetClass: Int?
    /// The number of the first object of the class.
    fileprivate let start: Int
    /// Where the links of each object begin, and where those of the last end.
    fileprivate(set) var offsets: [UInt32] = [0]
    fileprivate(set) var targets: [ObjectNumber] = []

    /// What an object links to, in the order of its elements.
    func targets(of object: ObjectNumber) -> ArraySlice<ObjectNumber> {
      let place = object.index - start
      return targets[Int(offsets[place])..<Int(offsets[place + 1])]
    }
  }

  let numbers: ObjectNumbers
  private(set) var groups: [Group] = []
  /// The groups of each class.
  private(set) var groupsOfClass: [Range<Int>] = []
  /// The owner of each embedded object; empty where no class is embedded.
  private var owners: [ObjectNumber] = []
  private static let nobody = ObjectNumber(UInt32.max)

  /// - Parameter facets: by class; properties without a probe are left out.
  init(_ numbers: ObjectNumbers, _ facets: [ClassFacets]) {
    self.numbers = numbers
    let names = Dictionary(
      numbers.tables.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    for (classIndex, table) in numbers.tables.enumerated() {
      let first = groups.count
      for (position, property) in table.resolved.properties.enumerated()
      where property.type.holdsLinks && facets[classIndex].probes[position] != nil {
        groups.append(
          Group(
            classIndex: classIndex, position: position,
            isOwning: table.ownedLinks.contains(position),
            targetClass: property.type.linkedClass.flatMap { names[$0] },
            start: numbers.range(of: classIndex).lowerBound))
      }
      groupsOfClass.append(first..<groups.count)
    }
    if numbers.tables.contains(where: \.resolved.isEmbedded) {
      owners = Array(repeating: Self.nobody, count: numbers.count)
    }
  }
}

// MARK: - Filling

extension LinkGraph {
  /// Adds a link of the object that is being looked at.
  mutating func add(_ target: ObjectNumber, from object: ObjectNumber, group: Int) {
    groups[group].targets.append(target)
    if groups[group].isOwning { owners[target.index] = object }
  }

  /// Ends with an object: the next of its class follows.
  ///
  /// - Throws: ``InspectionError`` with `tooManyObjects`.
  mutating func endObject(of classIndex: Int) throws {
    for group in groupsOfClass[classIndex] {
      let count = groups[group].targets.count
      guard count < UInt32.max else { throw InspectionError.tooManyObjects(count) }
      groups[group].offsets.append(UInt32(count))
    }
  }
}

// MARK: - Asking

extension LinkGraph {
  /// How many links an object has.
  func linkCount(of object: ObjectNumber, in classIndex: Int) -> Int {
    groupsOfClass[classIndex].reduce(0) { $0 + groups[$1].targets(of: object).count }
  }

  /// The group of a property, or nil when it holds no links.
  func group(ofProperty position: Int, in classIndex: Int) -> Group? {
    groups[groupsOfClass[classIndex]].first { $0.position == position }
  }

  /// Whether an object is of an embedded class.
  func isEmbedded(_ object: ObjectNumber) -> Bool {
    !owners.isEmpty
      && numbers.tables[numbers.classIndex(of: object)].resolved.isEmbedded
  }

  /// The object that an embedded object belongs to, or nil.
  func owner(of object: ObjectNumber) -> ObjectNumber? {
    guard !owners.isEmpty, owners[object.index] != Self.nobody else { return nil }
    return owners[object.index]
  }

  /// Whether an object can be there without links that were left out: one that is embedded
  /// needs its owners, up to one that is not.
  func isReachable(_ object: ObjectNumber) -> Bool {
    var (place, steps) = (object, 0)
    while isEmbedded(place) {
      // Owners in a ring belong to nobody: only a damaged file has them.
      guard let owner = owner(of: place), steps < numbers.count else { return false }
      place = owner
      steps += 1
    }
    return true
  }
}
