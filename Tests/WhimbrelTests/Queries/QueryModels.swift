import Foundation
import Whimbrel

enum QueryArea: String, PersistableEnum {
  case africa, america, europe
}

enum QueryRank: Int, PersistableEnum {
  case low = 1
  case high = 9
}

/// Stored as its minutes.
struct QueryOffset: CustomPersistable, Hashable, Comparable, Codable {
  var minutes: Int

  init(minutes: Int) { self.minutes = minutes }
  init?(persistedValue: Int) { minutes = persistedValue }
  var persistableValue: Int { minutes }
  static var placeholder: QueryOffset { QueryOffset(minutes: 0) }
  static func < (lhs: QueryOffset, rhs: QueryOffset) -> Bool { lhs.minutes < rhs.minutes }
}

/// A zone that queries ask for, with a property of each kind.
@Model
final class QueryZone {
  @PrimaryKey var identifier: String
  var latitude: Double = 0
  var longitude: Double = 0
  var people: Int = 0
  var rank: QueryRank = QueryRank.low
  var area: QueryArea = QueryArea.europe
  var height: Int?
  var small: Int16 = 0
  var ratio: Float = 0
  var price: Decimal = 0
  var note: String?
  var isActive: Bool = false
  var isKnown: Bool?
  var made: Date = Date(timeIntervalSinceReferenceDate: 0)
  var uuid: UUID = UUID()
  var bytes: Data = Data()
  var offset: QueryOffset = QueryOffset(minutes: 0)
  var summer: QueryOffset?
  var lastArea: QueryArea?
  var anything: AnyValue = AnyValue.none
  var country: QueryCountry?
  var twin: QueryZone?
  var tags: StoredList<String>
  var numbers: StoredSet<Int>
  var maybe: StoredList<Int?>
  var names: StoredMap<String, String>
  var neighbors: StoredList<QueryZone>
  var twins: StoredMap<String, QueryZone>
  var point: QueryPoint?
  private(set) var secret: Int = 0
  @Transient var label: String? = nil
}

@Model
final class QueryCountry {
  @PrimaryKey var code: String
  var name: String = ""
  var capital: QueryZone?
  var zones: StoredList<QueryZone>
  @Inverse(of: \QueryZone.country) var linked: LinkingObjects<QueryZone>
}

@Model(.embedded)
final class QueryPoint {
  var x: Double = 0
  var y: Double = 0
}

/// Text that is searched for words.
@Model
final class QueryArticle {
  @PrimaryKey var id: Int
  @Indexed(.fullText) var body: String
  var related: StoredList<QueryArticle>
}

extension TestStore {
  static let queryModels: [any Model.Type] = [
    QueryZone.self, QueryCountry.self, QueryPoint.self, QueryArticle.self,
  ]
}
