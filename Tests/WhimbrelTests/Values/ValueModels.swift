import Foundation
import Testing
import Whimbrel

enum Climate: String, PersistableEnum {
  case warm, cold
}

/// No conformance to `Codable`, as a town has.
enum TownRank: Int, PersistableEnum {
  case low = 1
  case high = 2
}

/// Stored as its minutes, of which a day at most is valid.
struct TownOffset: CustomPersistable, Hashable {
  var minutes: Int

  init(minutes: Int) { self.minutes = minutes }

  init?(persistedValue: Int) {
    guard abs(persistedValue) <= 1_440 else { return nil }
    minutes = persistedValue
  }

  var persistableValue: Int { minutes }
  static var placeholder: TownOffset { TownOffset(minutes: -1) }
}

@Model
final class Town {
  @PrimaryKey var code: String
  var name: String = "unnamed"
  var climate: Climate = Climate.warm
  var people: Int = 0
  var small: Int8 = 0
  var ratio: Float = 0
  var height: Double = 0
  var price: Decimal = 0
  var note: String?
  var offset: TownOffset = TownOffset(minutes: 60)
  var land: Land?
  var tags: StoredList<String>
  var marks: StoredSet<Int>
  var prices: StoredMap<String, Double>
  var ranks: StoredList<TownRank>
  var maybe: StoredList<Int?>
  var neighbors: StoredList<Town>
  var lands: StoredSet<Land>
  var twins: StoredMap<String, Town>
  var place: TownPlace?
  var border: StoredList<TownPlace>
  var extra: AnyValue = AnyValue.none
}

@Model
final class Land {
  @PrimaryKey var code: String
  var name: String
  var capital: Town?
}

@Model(.embedded)
final class TownPlace {
  var latitude: Double
  var longitude: Double = 0
  var label: String?
  var land: Land?
}

/// No primary key.
@Model
final class TownNote {
  var text: String
  var next: TownNote?
  var made: Date = Date(timeIntervalSince1970: 0)
  var data: Data = Data()
  var uuid: UUID?
}

func townStore() throws -> (test: TestStore, store: Store) {
  let test = try TestStore([Town.self, Land.self, TownPlace.self, TownNote.self])
  return (test, try test.open())
}
