import Foundation
import Whimbrel

enum Tone: String, PersistableEnum {
  case low, middle, high
}

enum Step: Int16, PersistableEnum {
  case down = -1
  case none = 0
  case up = 1
}

/// A list of every type.
@Model
final class ListHolder {
  @PrimaryKey var id: Int
  var bools: List<Bool>
  var ints: List<Int>
  var bytes: List<UInt8>
  var shorts: List<Int16>
  var words: List<UInt32>
  var floats: List<Float>
  var doubles: List<Double>
  var texts: List<String>
  var data: List<Data>
  var dates: List<Date>
  var uuids: List<UUID>
  var decimals: List<Decimal>
  var objectIds: List<ObjectId>
  var tones: List<Tone>
  var steps: List<Step>
  var optionalInts: List<Int?>
  var optionalTexts: List<String?>
  var optionalSteps: List<Step?>
  var friends: List<Friend>
  var parts: List<Part>
}

/// Sets and maps.
@Model
final class SetHolder {
  @PrimaryKey var id: Int
  var ints: MutableSet<Int>
  var doubles: MutableSet<Double>
  var texts: MutableSet<String>
  var optionalTexts: MutableSet<String?>
  var steps: MutableSet<Step>
  var friends: MutableSet<Friend>
  var numbers: Map<String, Int>
  var names: Map<String, String>
  var optionalNumbers: Map<String, Int?>
  var friendsByName: Map<String, Friend>
  var partsByName: Map<String, Part>
}

/// What collections link to.
@Model
final class Friend {
  var name: String
  var best: Friend?
  var others: List<Friend>
  @Inverse(of: \ListHolder.friends) var holders: LinkingObjects<ListHolder>
  @Inverse(of: \SetHolder.friends) var setHolders: LinkingObjects<SetHolder>
  @Inverse(of: \SetHolder.friendsByName) var mapHolders: LinkingObjects<SetHolder>
  @Inverse(of: \Friend.best) var admirers: LinkingObjects<Friend>
  @Inverse(of: \Friend.others) var knownBy: LinkingObjects<Friend>
}

/// What belongs to one collection.
@Model(.embedded)
final class Part {
  var name: String
  @Inverse(of: \ListHolder.parts) var holders: LinkingObjects<ListHolder>
}

extension TestStore {
  static let collectionModels: [any Model.Type] = [
    ListHolder.self, SetHolder.self, Friend.self, Part.self,
  ]
}

/// A store with objects that have collections.
struct CollectionStore {
  let place: TestStore
  let store: Store
  let holder: ListHolder
  let sets: SetHolder

  init() throws {
    place = try TestStore(TestStore.collectionModels)
    store = try place.open()
    let holder = ListHolder(id: 1)
    let sets = SetHolder(id: 1)
    try store.write { [store] in
      try store.add(holder)
      try store.add(sets)
    }
    self.holder = holder
    self.sets = sets
  }
}
