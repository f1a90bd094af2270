/// Stops the program because of a mistake in it, and prints which.
///
/// Optimised builds leave out the words of `precondition`, and those are what apps ship: the report of
/// a crash would not say what is wrong.
@inline(never)
package func stopProgram(
  _ message: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) -> Never {
  // Safe: what a file holds never leads here, only the calls of a program.
  fatalError(message(), file: file, line: line)
}
