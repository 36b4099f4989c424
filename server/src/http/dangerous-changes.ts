import type { Millis } from '@usher/domain';
import type { Actor } from '../context.ts';
import { passwordNeeded } from '../errors.ts';
import type { Method } from './route.ts';

type Params = Readonly<Record<string, unknown>>;

const always = () => true;

/**
 * Lists the endpoints for which a person who has signed in must have given their password in the last minutes, with the
 * parameters that make them dangerous. A person who finds an open browser, or steals a cookie, must not be able to
 * stay, to read more than the dashboard shows, to run code in customers' pages, or to destroy what cannot be brought
 * back. A test lists all other endpoints, so a new endpoint must be added here or there.
 */
export const dangerousChanges: Readonly<Record<`${Method} /${string}`, (params: Params) => boolean>> = {
  // These show a secret or a link, which works without the browser.
  'POST /v3/edit/secrets': always,
  'POST /v3/edit/account/uid_secret': always,
  'POST /v3/edit/debug_tokens': always,
  'POST /v3/edit/invitations': always,
  'POST /v3/edit/webhooks': always,
  'POST /v3/edit/webhooks/:id/rotate': always,
  // This brings people and content into the account.
  'POST /v3/edit/move': always,
  // These send what users do somewhere else.
  'PUT /v3/edit/webhooks/:id': changesUrl,
  'PATCH /v3/edit/webhooks/:id': changesUrl,
  // These take access from programs and colleagues, or give them more.
  'DELETE /v3/edit/secrets/:id': always,
  'DELETE /v3/edit/invitations/:id': always,
  'DELETE /v3/edit/admins/:id': always,
  'PUT /v3/edit/admins/:id': always,
  'PATCH /v3/edit/admins/:id': always,
  // These run code in customers' pages, let texts read values of them, or let pages read or write more without a proof.
  'PUT /v3/edit/account': weakensAccount,
  'PATCH /v3/edit/account': weakensAccount,
  // These delete data of users for good.
  'DELETE /v3/edit/profiles/:id/forget': always,
  'DELETE /v3/edit/profiles/forget': always,
  'DELETE /v3/edit/companies/:id': forgetsUsers,
  'DELETE /v3/edit/company': forgetsUsers,
  // These could lock the person out.
  'PUT /v3/person': changesSignIn,
  'PATCH /v3/person': changesSignIn,
};

function changesUrl({ url }: Params): boolean {
  return url !== undefined;
}

function weakensAccount({ require_uid_hash, ...params }: Params): boolean {
  const opening = [params.allow_scripts, params.allow_globals, params.allow_percent, params.trust_pages];
  return opening.includes(true) || require_uid_hash === false;
}

function forgetsUsers({ cascade }: Params): boolean {
  return cascade === 'profiles';
}

/** A request may contain the current password. The endpoint itself checks it then. */
function changesSignIn({ email, password, current_password }: Params): boolean {
  return current_password === undefined && (email !== undefined || password !== undefined);
}

/**
 * Rejects a dangerous change by a person who gave their password too long ago. A secret needs no password: it is shown
 * to its owner only.
 */
export function checkConfirmation(method: string, path: string, params: Params, { session }: Actor, now: Millis): void {
  if (!session || session.confirmedUntil > now) return;
  const isDangerous = dangerousChanges[`${method as Method} ${path as `/${string}`}`];
  if (isDangerous?.(params)) throw passwordNeeded();
}
