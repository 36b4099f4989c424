import { parseTime, type Role, roles, type Scope, scopes } from '@usher/domain';
import type { AppContext } from '../context.ts';
import { createAccount } from '../features/team/accounts/create-account.ts';
import { createAdmin } from '../features/team/admins/create-admin.ts';
import { createResetLink } from '../features/team/links/create-reset-link.ts';
import { createAccountAndInvite, inviteKnown } from '../features/team/links/invite-known.ts';
import { findPerson } from '../features/team/persons/queries.ts';
import { createSecret } from '../features/team/secrets/create-secret.ts';
import { UsageError } from './errors.ts';

export interface AdminOptions {
  name?: string;
  email?: string;
  role?: string;
  scope?: string;
  people?: boolean;
  expires?: string;
  network?: string[];
}

/** `usher account create`. If a person has the email already, they get an invitation, and no role until they accept it. */
export async function runAccountCreate(app: AppContext, { name, ...options }: AdminOptions): Promise<object> {
  if (!name || !options.email) throw new UsageError('give --name and --email');
  const email = readEmail(options.email);
  const known = await findPerson(app.storage.reader(null), email);
  if (known) return withNote(app, explainInvitation, await createAccountAndInvite(app, known, name));
  return createAccount(app, { name, email });
}

/** `usher admin create`. A new person gets a link to choose a password, and a person with an account gets an invitation. */
export async function runAdminCreate(
  app: AppContext,
  accountId: string,
  { name, ...options }: AdminOptions,
): Promise<object> {
  const email = readEmail(options.email);
  const role = readWord<Role>('--role', options.role ?? 'editor', roles);
  const known = await findPerson(app.storage.reader(null), email);
  if (known) return withNote(app, explainInvitation, await inviteKnown(app, known, { accountId, role }));
  const { user_id } = await createAdmin(app, { accountId, email, name, role });
  const { their_accounts: _, ...link } = await createResetLink(app, email);
  return withNote(app, '', { user_id, account_id: accountId, role, ...link });
}

/** `usher admin reset-link`. */
export async function runResetLink(app: AppContext, { email }: AdminOptions): Promise<object> {
  return withNote(app, '', await createResetLink(app, readEmail(email)));
}

const explainInvitation =
  'Somebody has this email already. The person who opens the link and signs in joins the account.';

/** This command cannot know at which address the server listens, unless it has the same settings. */
function withNote(app: AppContext, explanation: string, result: object): object {
  const { origin, hostname } = new URL(app.publicUrl);
  const isLocal = ['127.0.0.1', 'localhost'].includes(hostname);
  const replace = isLocal ? `If your server is not at ${origin}, replace that part of the link` : '';
  const note = [explanation, replace].filter(Boolean).join(' ');
  return { ...result, ...(note && { note }) };
}

/** `usher token create`. */
export async function runTokenCreate(
  app: AppContext,
  accountId: string,
  { name = 'command line', email, scope = 'all', people = false, expires, network }: AdminOptions,
): Promise<object> {
  const expires_at = expires === undefined ? null : parseTime(expires, app.now());
  if (expires_at === undefined)
    throw new UsageError(`--expires must be a time such as 2029-04-07 or +90d, not "${expires}"`);
  return createSecret(app, {
    accountId,
    email,
    name,
    scope: readWord<Scope>('--scope', scope, scopes),
    people,
    expires_at,
    networks: network ?? null,
  });
}

function readEmail(email: string | undefined): string {
  if (!email) throw new UsageError('give --email');
  if (!/^\S+@\S+$/.test(email)) throw new UsageError(`--email must be an email address, not "${email}"`);
  return email;
}

function readWord<Word extends string>(option: string, text: string, words: readonly Word[]): Word {
  const word = words.find((one) => one === text);
  if (!word) throw new UsageError(`${option} must be one of ${words.join(', ')}, not "${text}"`);
  return word;
}
