import { runCommand } from './cli/cli.ts';

/** The only place that touches the process: its arguments, environment, signals and exit code. */
process.exitCode = await runCommand(process.argv.slice(2), process.env, {
  print: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
  progress: process.stderr.isTTY ? (text) => process.stderr.write(text) : undefined,
  untilStopped: () =>
    new Promise((resolve) => {
      process.once('SIGTERM', resolve);
      process.once('SIGINT', resolve);
    }),
});
