import { toTimestamp } from '@usher/domain';
import pino from 'pino';
import type { Settings } from '../settings/settings.ts';
import { LogOutput } from './log-output.ts';

export interface Log extends pino.Logger {
  recordRequest(request: HandledRequest): void;
}

interface HandledRequest {
  method: string;
  /** The pattern of the path, never the URL: URLs can hold secrets. */
  route: string;
  status: number;
  ms: number;
  account: string | undefined;
  /** The `X-Request-Id`. */
  request: string | undefined;
}

const STANDARD_OUTPUT = 1;
let output: LogOutput | undefined;

/** Standard output, for everything that this process logs. */
export function standardOutput(): LogOutput {
  if (output) return output;
  const opened = new LogOutput(STANDARD_OUTPUT);
  process.once('exit', () => opened.flushSync());
  output = opened;
  return opened;
}

/** Writes one JSON object per line to standard output. */
export function createLog(
  level: Settings['logLevel'],
  output: pino.DestinationStream = standardOutput(),
  /** Fields of every line. */
  fields: object | undefined = undefined,
): Log {
  const timestamp = () => `,"time":"${toTimestamp(Date.now())}"`;
  const log = pino({ level, base: fields ?? null, timestamp, serializers: { err: describeError } }, output);
  return Object.assign(log, {
    recordRequest: ({ method, route, status, ms, account, request }: HandledRequest) =>
      log.info({ method, route, status, ms: Math.round(ms * 100) / 100, account, request }, 'request'),
  });
}

/** Logs what went wrong and where, but no details: PostgreSQL puts whole rows into those. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack } = error;
  return { type: name, message, stack, code: (error as { code?: unknown }).code };
}
