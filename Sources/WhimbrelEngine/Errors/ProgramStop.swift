/// Stops the program because of a programming mistake, and prints a message.
///
/// Apps ship optimised builds, and these drop the message of `precondition`. A crash report would
/// not say what is wrong.
@inline(never)
package func stopProgram(
  _ message: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) -> Never {
  // Safe: only the calls of a program lead here, never the contents of a file.
  fatalError(message(), file: file, line: line)
}
