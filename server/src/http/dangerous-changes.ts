import type { Millis } from '@usher/domain';
import type { Actor } from '../context.ts';
import { passwordNeeded } from '../errors.ts';
import type { Method } from './route.ts';

type Params = Readonly<Record<string, unknown>>;

const always = () => true;

/**
 * Everything for which a person who has signed in must have given their password in the last minutes, with the parameters
 * that make it dangerous: a person who finds an open browser, or steals a cookie, must not be able to stay, to read more than
 * the dashboard shows, to run code in customers' pages, or to destroy what cannot be brought back. A test knows all other
 * endpoints, so a new one is either here or there.
 */
export const dangerousChanges: Readonly<Record<`${Method} /${string}`, (params: Params) => boolean>> = {
  // A secret or a link that is shown works without the browser.
  'POST /v3/edit/secrets': always,
  'POST /v3/edit/account/uid_secret': always,
  'POST /v3/edit/debug_tokens': always,
  'POST /v3/edit/invitations': always,
  'POST /v3/edit/webhooks': always,
  'POST /v3/edit/webhooks/:id/rotate': always,
  // What users do is sent somewhere else.
  'PUT /v3/edit/webhooks/:id': changesUrl,
  'PATCH /v3/edit/webhooks/:id': changesUrl,
  // Programs and colleagues lose access, or get more.
  'DELETE /v3/edit/secrets/:id': always,
  'DELETE /v3/edit/invitations/:id': always,
  'DELETE /v3/edit/admins/:id': always,
  'PUT /v3/edit/admins/:id': always,
  'PATCH /v3/edit/admins/:id': always,
  // Code runs in customers' pages, or pages are trusted without a proof.
  'PUT /v3/edit/account': weakensAccount,
  'PATCH /v3/edit/account': weakensAccount,
  // Data of users is gone for good.
  'DELETE /v3/edit/profiles/:id/forget': always,
  'DELETE /v3/edit/profiles/forget': always,
  'DELETE /v3/edit/companies/:id': forgetsUsers,
  'DELETE /v3/edit/company': forgetsUsers,
  // The person could be locked out.
  'PUT /v3/person': changesSignIn,
  'PATCH /v3/person': changesSignIn,
};

function changesUrl({ url }: Params): boolean {
  return url !== undefined;
}

function weakensAccount({ allow_scripts, trust_pages, require_uid_hash }: Params): boolean {
  return allow_scripts === true || trust_pages === true || require_uid_hash === false;
}

function forgetsUsers({ cascade }: Params): boolean {
  return cascade === 'profiles';
}

/** The present password may be a part of the request: then it is checked there. */
function changesSignIn({ email, password, current_password }: Params): boolean {
  return current_password === undefined && (email !== undefined || password !== undefined);
}

/**
 * Rejects a dangerous change by a person whose last password is too long ago. A secret needs no password: it is shown
 * to its owner only.
 */
export function checkConfirmation(method: string, path: string, params: Params, { session }: Actor, now: Millis): void {
  if (!session || session.confirmedUntil > now) return;
  const isDangerous = dangerousChanges[`${method as Method} ${path as `/${string}`}`];
  if (isDangerous?.(params)) throw passwordNeeded();
}
