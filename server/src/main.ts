import { runCommand } from './cli/cli.ts';

/**
 * The only place that touches the process: its arguments, environment, signals and exit code. After an uncaught exception
 * a transaction may be left open, so Node prints the error and ends the process, and whatever started it restarts it.
 */
process.exitCode = await runCommand(process.argv.slice(2), process.env, {
  print: (text) => process.stdout.write(text),
  printError: (text) => process.stderr.write(text),
  hasColors: process.stdout.isTTY,
  progress: process.stderr.isTTY ? (text) => process.stderr.write(text) : undefined,
  onUnhandledRejection: (listener) => process.on('unhandledRejection', listener),
  untilStopped: () =>
    new Promise((resolve) => {
      process.once('SIGTERM', resolve);
      process.once('SIGINT', resolve);
    }),
});
