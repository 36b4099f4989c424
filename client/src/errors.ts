/** Which parameter is wrong, and how. */
export interface ParamError {
  param: string;
  problem: string;
}

/** The service has rejected a request. `code` is its status. */
export class UsherError extends Error {
  override readonly name = 'UsherError';
  readonly code: number;
  readonly messages: readonly string[];
  /** The parameters that are wrong, if the messages are about parameters. */
  readonly errors: readonly ParamError[];
  /** How many are allowed at a time, if there were too many. */
  readonly limit: number | undefined;
  /** In how many seconds to try again, if waiting helps. */
  readonly wait: number | undefined;
  /** The whole response, such as the `current` record of a conflict. */
  readonly body: unknown;
  /** Name it when you report a problem: the log of the server has it too. */
  readonly requestId: string | undefined;

  constructor(status: number, body: unknown, headers: Headers) {
    const { messages, errors, limit, wait } = (typeof body === 'object' && body !== null ? body : {}) as Partial<
      Record<string, unknown>
    >;
    const texts = Array.isArray(messages) ? messages.map(String) : [];
    super(texts.join(' ') || `The service responded with ${status}`);
    this.code = status;
    this.messages = texts;
    this.errors = Array.isArray(errors) ? (errors as ParamError[]) : [];
    this.limit = toNumber(limit);
    this.wait = toNumber(wait) ?? toNumber(headers.get('retry-after') ?? undefined);
    this.body = body;
    this.requestId = headers.get('x-request-id') ?? undefined;
  }
}

function toNumber(value: unknown): number | undefined {
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}
