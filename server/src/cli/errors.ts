/** The command line is wrong. The exit code is 2. */
export class UsageError extends Error {}

/** The command failed for a reason that the user can fix. The message says which. */
export class CommandError extends Error {}
