import { toTimestamp } from '@usher/domain';
import pino from 'pino';
import type { Settings } from './settings.ts';

export type Log = pino.Logger;

/** One JSON object a line on standard output. */
export function createLog(level: Settings['logLevel']): Log {
  return pino(
    { level, base: null, timestamp: timeOfLine, serializers: { err: describeError } },
    pino.destination({ dest: 1, sync: false }),
  );
}

let lastTime = 0;
let lastText = '';

/** Many lines are of one millisecond, and writing a time takes as long as the rest of a line. */
function timeOfLine(): string {
  const now = Date.now();
  if (now !== lastTime) {
    lastTime = now;
    lastText = `,"time":"${toTimestamp(now)}"`;
  }
  return lastText;
}

/** What went wrong and where. Not the rest: PostgreSQL puts whole rows into the details of its errors. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack } = error;
  return { type: name, message, stack, code: (error as { code?: unknown }).code };
}
