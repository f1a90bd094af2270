package import Testing
package import WhimbrelInspection

package func expectError<Result>(
  _ code: InspectionError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Result
) {
  let error = #expect(throws: InspectionError.self, sourceLocation: sourceLocation) {
    _ = try body()
  }
  #expect(error?.code == code, sourceLocation: sourceLocation)
}
