import Testing
struct P { @Test func p() {} }
