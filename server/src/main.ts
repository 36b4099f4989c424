import { runCommand } from './cli/cli.ts';
import type { MessageFromWorker, MessageToWorker, ParentProcess } from './cluster/messages.ts';

/** The process that has started this one as one of its workers (`usher serve --workers`). */
function findParent(): ParentProcess | undefined {
  const [, worker, workers] = /^(\d+)\/(\d+)$/.exec(process.env.USHER_WORKER ?? '') ?? [];
  if (!process.send || !worker) return undefined;
  return {
    worker: Number(worker),
    workers: Number(workers),
    // A failure to send does not matter: if the parent has ended, this process ends too.
    send: (message: MessageFromWorker) =>
      new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve())),
    onMessage: (listener) => process.on('message', listener),
  };
}

/**
 * In a terminal, and with most service managers, a signal reaches the workers too. Their parent stops them, when it has
 * got the signal itself.
 */
function untilStopped(): Promise<unknown> {
  return new Promise((resolve) => {
    if (parent) {
      for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => {});
      parent.onMessage((message: MessageToWorker) => 'stop' in message && resolve(undefined));
    } else {
      process.once('SIGTERM', resolve);
      process.once('SIGINT', resolve);
    }
  });
}

/**
 * The only place that touches the process: its arguments, environment, signals and exit code. After an uncaught exception
 * a transaction may be left open, so Node prints the error and ends the process, and whatever started it restarts it.
 */
const parent = findParent();
// `usher … | head` ends reading early. A server goes on without its output.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  if (process.argv[2] !== 'serve') process.exit();
});
process.exitCode = await runCommand(process.argv.slice(2), process.env, {
  print: (text) => process.stdout.write(text),
  printError: (text) => process.stderr.write(text),
  hasColors: process.stdout.isTTY,
  progress: process.stderr.isTTY ? (text) => process.stderr.write(text) : undefined,
  onUnhandledRejection: (listener) => process.on('unhandledRejection', listener),
  untilStopped,
  parent,
});
if (parent) process.disconnect();
