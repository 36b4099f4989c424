import pino from 'pino';
import type { Settings } from './settings.ts';

export type Log = pino.Logger;

/** One JSON object a line on standard output. */
export function createLog(level: Settings['logLevel']): Log {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 1, sync: false }),
  );
}
