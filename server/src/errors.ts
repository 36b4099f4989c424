/** What a limit is about. The metrics count the rejected requests by it. */
export const limitKinds = [
  'secret',
  'address',
  'wrong_secrets',
  'sign_in',
  'wrong_passwords',
  'reports',
  'batches',
  'heavy_reads',
  'deliveries',
  'picks',
  'survey',
  'streams',
] as const;
export type LimitKind = (typeof limitKinds)[number];

/** An error for the client: `{code, messages}`, with the status equal to `code`. */
export class ApiError extends Error {
  readonly code: number;
  readonly messages: string[];
  /** The limit that the request exceeded, if any. */
  readonly limit: number | undefined;
  /** After how many seconds the client can retry, if waiting helps. */
  readonly wait: number | undefined;
  /** What the limit is about. Clients do not see it. */
  readonly limitKind: LimitKind | undefined;

  /** What the person must do first, and then repeat the request: give the password, or choose the account. */
  readonly confirm: 'password' | 'account' | undefined;

  constructor(
    code: number,
    messages: string[],
    limit?: number,
    wait?: number,
    confirm?: ApiError['confirm'],
    limitKind?: LimitKind,
  ) {
    super(messages.join(' '));
    this.code = code;
    this.messages = messages;
    this.limit = limit;
    this.wait = wait;
    this.confirm = confirm;
    this.limitKind = limitKind;
  }
}

/** Somebody else changed a record after the client saw it. The client gets what is there now, so that it can merge. */
export class ChangedMeanwhile extends ApiError {
  readonly current: object;
  readonly changedBy: object | null;

  constructor(message: string, current: object, changedBy: object | null) {
    super(409, [message]);
    this.current = current;
    this.changedBy = changedBy;
  }
}

/** There is no session, or it has ended. */
export function signedOut(message = 'Your session has ended: sign in again'): ApiError {
  return new ApiError(401, [message]);
}

/** The person has signed in, but this needs their password again. */
export function passwordNeeded(): ApiError {
  return new ApiError(
    403,
    ['This needs your password again: send it to `POST /v3/session/confirm`, then repeat the request'],
    undefined,
    undefined,
    'password',
  );
}

/** The client shows another account, or another person, than the session is for now. */
export function otherUser(): ApiError {
  return new ApiError(
    409,
    [
      'You have switched the account, or signed in as somebody else, since this page was loaded, so nothing was changed: load it again',
    ],
    undefined,
    undefined,
    'account',
  );
}

export function forbidden(message: string): ApiError {
  return new ApiError(403, [message]);
}

/** The same message for an ID that never existed, that was deleted, or that belongs to another account. */
export function notFound(what: string): ApiError {
  return new ApiError(404, [`There is no ${what} with this ID in this account`]);
}

export function noEndpoint(): ApiError {
  return new ApiError(404, ['There is no such endpoint: `/openapi.json` lists all of them']);
}

export function conflict(message: string): ApiError {
  return new ApiError(409, [message]);
}

export function tooLarge(message: string): ApiError {
  return new ApiError(413, [message]);
}

export function invalid(...messages: string[]): ApiError {
  return new ApiError(422, messages);
}

export function limited(kind: LimitKind, message: string, limit: number, wait?: number): ApiError {
  return new ApiError(429, [message], limit, wait, undefined, kind);
}

export function storageUnavailable(): ApiError {
  return new ApiError(503, ['The storage cannot be reached at the moment: try again in a few seconds']);
}

/** Rejected because nothing can be stored at the moment. That is logged when it begins, and not for each request. */
export class NotStored extends ApiError {}

/** The database is a standby, or is being moved. */
export function databaseReadOnly(): NotStored {
  return new NotStored(503, [
    'The database can only be read at the moment, so this was not stored: try again in a few seconds',
  ]);
}

/** The disk of the server has no room for anything new. */
export function diskFull(): NotStored {
  return new NotStored(507, [
    'The disk of the server is nearly full, so this was not stored: free some space or enlarge the disk, then send it again',
  ]);
}
