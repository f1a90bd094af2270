public import Foundation
internal import WhimbrelEngine

extension QueryValue where Value: QueryMember, Value._$Kind == QueryKind.Bytes {
  /// Returns the condition that the data contains other data.
  public func contains(_ bytes: Data) -> QueryValue<Bool> {
    QueryValue<Bool>(part.compared(.contains, part.constant(bytes)))
  }

  /// Returns the condition that the data begins with other data.
  public func starts(with bytes: Data) -> QueryValue<Bool> {
    QueryValue<Bool>(part.compared(.beginsWith, part.constant(bytes)))
  }

  /// Returns the condition that the data ends with other data.
  public func ends(with bytes: Data) -> QueryValue<Bool> {
    QueryValue<Bool>(part.compared(.endsWith, part.constant(bytes)))
  }
}
