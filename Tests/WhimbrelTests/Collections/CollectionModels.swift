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
  var bools: StoredList<Bool>
  var ints: StoredList<Int>
  var bytes: StoredList<UInt8>
  var shorts: StoredList<Int16>
  var words: StoredList<UInt32>
  var floats: StoredList<Float>
  var doubles: StoredList<Double>
  var texts: StoredList<String>
  var data: StoredList<Data>
  var dates: StoredList<Date>
  var uuids: StoredList<UUID>
  var decimals: StoredList<Decimal>
  var objectIds: StoredList<ObjectId>
  var tones: StoredList<Tone>
  var steps: StoredList<Step>
  var optionalInts: StoredList<Int?>
  var optionalTexts: StoredList<String?>
  var optionalSteps: StoredList<Step?>
  var friends: StoredList<Friend>
  var parts: StoredList<Part>
}

/// Sets and maps.
@Model
final class SetHolder {
  @PrimaryKey var id: Int
  var ints: StoredSet<Int>
  var doubles: StoredSet<Double>
  var texts: StoredSet<String>
  var optionalTexts: StoredSet<String?>
  var steps: StoredSet<Step>
  var friends: StoredSet<Friend>
  var numbers: StoredMap<String, Int>
  var names: StoredMap<String, String>
  var optionalNumbers: StoredMap<String, Int?>
  var friendsByName: StoredMap<String, Friend>
  var partsByName: StoredMap<String, Part>
}

/// What collections link to.
@Model
final class Friend {
  var name: String
  var best: Friend?
  var others: StoredList<Friend>
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
