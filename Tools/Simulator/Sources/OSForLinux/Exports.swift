// Loggers, under the older name of their module. On Linux an app imports this module as os.
@_exported public import OSLogForLinux
