import { parseTime, type Role, roles, type Scope, scopes } from '@usher/domain';
import type { AppContext } from '../context.ts';
import { createAdmin } from '../features/admins/create-admin.ts';
import { createResetLink } from '../features/links/create-reset-link.ts';
import { createSecret } from '../features/secrets/create-secret.ts';
import { UsageError } from './errors.ts';

export interface AdminOptions {
  name?: string;
  email?: string;
  role?: string;
  scope?: string;
  expires?: string;
  network?: string[];
}

/** `usher admin create`. Whoever has no password yet gets a link to choose one. */
export async function runAdminCreate(
  app: AppContext,
  accountId: string,
  { name, role = 'editor', ...options }: AdminOptions,
): Promise<object> {
  const email = readEmail(options.email);
  const made = await createAdmin(app, { accountId, email, name, role: readWord<Role>('--role', role, roles) });
  const { user_id, has_password } = made;
  if (has_password) return { user_id, account_id: accountId, email, role };
  return { user_id, account_id: accountId, role, ...(await createLink(app, email)) };
}

/** `usher admin reset-link`. */
export async function runResetLink(app: AppContext, { email }: AdminOptions): Promise<object> {
  return createLink(app, readEmail(email));
}

/** This command cannot know at which address the server listens, unless it has the same settings. */
async function createLink(app: AppContext, email: string): Promise<object> {
  const link = await createResetLink(app, email);
  const { origin, hostname } = new URL(app.publicUrl);
  const isLocal = ['127.0.0.1', 'localhost'].includes(hostname);
  return { ...link, ...(isLocal && { note: `If your server is not at ${origin}, replace that part of the link` }) };
}

/** `usher token create`. */
export async function runTokenCreate(
  app: AppContext,
  accountId: string,
  { name = 'command line', email, scope = 'all', expires, network }: AdminOptions,
): Promise<object> {
  const expires_at = expires === undefined ? null : parseTime(expires, app.now());
  if (expires_at === undefined)
    throw new UsageError(`--expires must be a time such as 2029-04-07 or +90d, not "${expires}"`);
  return createSecret(app, {
    accountId,
    email,
    name,
    scope: readWord<Scope>('--scope', scope, scopes),
    expires_at,
    networks: network ?? null,
  });
}

export function readEmail(email: string | undefined): string {
  if (!email) throw new UsageError('give --email');
  if (!/^\S+@\S+$/.test(email)) throw new UsageError(`--email must be an email address, not "${email}"`);
  return email;
}

function readWord<Word extends string>(option: string, text: string, words: readonly Word[]): Word {
  const word = words.find((one) => one === text);
  if (!word) throw new UsageError(`${option} must be one of ${words.join(', ')}, not "${text}"`);
  return word;
}
