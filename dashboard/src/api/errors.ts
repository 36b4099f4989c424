interface ErrorBody {
  code?: number;
  messages?: string[];
  /** What the person must do before the request is allowed. */
  confirm?: 'password' | 'account';
  /** In how many seconds to try again. */
  wait?: number;
  /** The record as it is now, if it was changed meanwhile, and who changed it. */
  current?: object;
  changed_by?: { id: string; name: string; email: string } | null;
}

/** An error that the server responded with. */
export class ApiError extends Error {
  readonly status: number;
  readonly messages: readonly string[];
  readonly needsPassword: boolean;
  /** Whether the session is of another account, or another person, than this tab shows. */
  readonly isForOtherUser: boolean;
  /** When to try again, if the server limits how often. */
  readonly retryAt: number | undefined;
  /** After a conflict: the record that the server has now, and who changed it last. */
  readonly current: object | undefined;
  readonly changedBy: ErrorBody['changed_by'];

  constructor(status: number, body: ErrorBody, now = Date.now()) {
    const messages = body.messages ?? [];
    super(messages[0] ?? `The server responded with ${status}`);
    this.name = 'ApiError';
    this.status = status;
    this.messages = messages;
    this.needsPassword = status === 403 && body.confirm === 'password';
    this.isForOtherUser = status === 409 && body.confirm === 'account';
    this.retryAt = status === 429 ? now + (body.wait ?? 1) * 1000 : undefined;
    this.current = body.current;
    this.changedBy = body.changed_by;
  }
}

/** Whether somebody else has changed the same record since it was loaded. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409 && !error.isForOtherUser;
}

/** The server could not be reached. It is not known whether it has received the request. */
export class ConnectionError extends Error {
  constructor(cause: unknown) {
    super('The server cannot be reached', { cause });
    this.name = 'ConnectionError';
  }
}

/** The person closed the dialog that a request waited for, or continued in another account. */
export class CanceledError extends Error {
  constructor() {
    super('The person canceled this request');
    this.name = 'CanceledError';
  }
}
