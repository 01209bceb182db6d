/// Writes a line to standard output.
func say(_ line: String) { CommandShell.current.output(line + "\n") }

/// Writes a line to standard error.
func sayError(_ line: String) { CommandShell.current.errors(line + "\n") }
