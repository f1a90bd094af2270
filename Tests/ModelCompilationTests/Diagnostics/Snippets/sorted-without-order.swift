import Foundation
import Whimbrel

@Model final class Country {
  var name: String
  var flag: Data
  var cities: StoredList<City>
  var numbers: StoredList<Int>
  var anything: AnyValue
  @Inverse(of: \City.country) var found: LinkingObjects<City>
}

@Model final class City {
  var name: String
  var country: Country?
}

func find(_ store: Store) {
  let cities = store.objects(City.self)
  let countries = store.objects(Country.self)
  _ = cities.sorted(by: \.country)
  _ = countries.sorted(by: \.flag)
  _ = countries.sorted(by: \.cities)
  _ = countries.sorted(by: \.cities.name)
  _ = countries.sorted(by: \.found.name)
  _ = countries.sorted(by: \.numbers)
  _ = countries.sorted(by: \.anything)
  _ = countries.sorted(by: [.descending(\.flag), .ascending(\.name)])
  _ = countries.distinct(by: \.cities)
  _ = countries.distinct(by: \.anything, \.name)
  _ = countries.distinct(by: \.cities.name)
}
