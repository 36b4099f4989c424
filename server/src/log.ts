import { toTimestamp } from '@usher/domain';
import pino from 'pino';
import type { Settings } from './settings.ts';

export interface Log extends pino.Logger {
  recordRequest(request: AnsweredRequest): void;
}

interface AnsweredRequest {
  method: string;
  /** The pattern, never the address: addresses can hold secrets. */
  route: string;
  status: number;
  ms: number;
  account: string | undefined;
}

/** One JSON object a line on standard output. */
export function createLog(
  level: Settings['logLevel'],
  output: pino.DestinationStream = pino.destination({ dest: 1, sync: false }),
): Log {
  const log = pino({ level, base: null, timestamp: timeOfLine, serializers: { err: describeError } }, output);
  const isOn = log.isLevelEnabled('info');
  let lines = '';
  const writeLines = () => {
    output.write(lines);
    lines = '';
  };
  return Object.assign(log, {
    // Written out, and all of one turn together: else a line takes as long as a small query.
    recordRequest: ({ method, route, status, ms, account }: AnsweredRequest) => {
      if (!isOn) return;
      if (lines === '') setImmediate(writeLines);
      const whose = account === undefined ? '' : `,"account":"${account}"`;
      const took = Math.round(ms * 100) / 100;
      lines += `{"level":30${timeOfLine()},"method":"${method}","route":"${route}","status":${status},"ms":${took}${whose},"msg":"request"}\n`;
    },
  });
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
