internal import WhimbrelEngine
internal import WhimbrelInspection

/// Stops the program unless a promise holds: the fuzzer keeps the input.
func require(_ holds: Bool, _ promise: @autoclosure () -> String) {
  // Safe: a crash is how a fuzzer learns of a failure.
  if !holds { fatalError("A promise is broken: \(promise())") }
}

/// Runs `body`, and returns nil when it throws an error that is fit for users.
///
/// - Parameter explain: what turns an error of the engine's inside into such an error.
@discardableResult
func attempt<Result>(
  explain: (any Error) -> any Error = { $0 }, _ body: () throws -> Result
) -> Result? {
  do {
    return try body()
  } catch {
    let error = explain(error)
    let words = "\(error)"
    require(error is StoreError || error is InspectionError, "\(type(of: error)): \(words)")
    require(!words.isEmpty, "an error has words")
    return nil
  }
}
