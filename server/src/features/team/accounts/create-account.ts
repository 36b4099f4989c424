import { timeOfId } from '@usher/domain';
import type { AppContext } from '../../../context.ts';
import type { Db } from '../../../db/storage.ts';
import { createPerson, nameFromEmail } from '../persons/create-person.ts';
import { hashPassword } from '../persons/password.ts';
import { hashSecret, newSecret, newToken } from '../secrets/secret.ts';

/** The email of the first owner until they give their own. */
export const FIRST_EMAIL = 'owner@localhost';

export interface NewAccount {
  name: string;
  email: string;
  password?: string | undefined;
  secret?: string | undefined;
  token?: string | undefined;
}

/** The secret is in plain text only here; only its hash is stored. */
export interface CreatedAccount {
  account_id: string;
  user_id: string;
  account_token: string;
  account_secret: string;
}

/** Creates an account with its owner, who is new on this server, and a first secret. */
export async function createAccount(app: AppContext, account: NewAccount): Promise<CreatedAccount> {
  const insert = await prepareAccount(app, account);
  return app.storage.write(null, insert);
}

/**
 * Creates an account if there is none yet. If several nodes start at the same time, one of them creates it. `beforeCommit`
 * gets the account; if it throws, none is created.
 */
export async function createFirstAccount(
  app: AppContext,
  account: NewAccount,
  beforeCommit: (created: CreatedAccount) => void = () => {},
): Promise<CreatedAccount | undefined> {
  const { storage } = app;
  if (await hasAccount(storage.reader(null))) return undefined;
  const insert = await prepareAccount(app, account);
  return storage.write(null, async (db) => {
    await storage.dialect.lockRows(db.selectFrom('migrations').select('name').where('name', '=', '')).execute();
    if (await hasAccount(db)) return undefined;
    const created = await insert(db);
    beforeCommit(created);
    return created;
  });
}

/** Hashes the password before the transaction, because that is slow. */
async function prepareAccount(
  app: AppContext,
  { name, email, ...params }: NewAccount,
): Promise<(db: Db) => Promise<CreatedAccount>> {
  const secret = params.secret ?? newSecret();
  const token = params.token ?? newToken();
  const passwordHash = params.password === undefined ? null : await hashPassword(params.password);
  return async (db) => {
    const [accountId, adminId] = [app.newId(), app.newId()];
    const updated_at = timeOfId(accountId);
    const person = { name: nameFromEmail(email), email, password_hash: passwordHash };
    const { id: person_id } = await createPerson(app, db, person);
    await db.insertInto('accounts').values({ id: accountId, name, token, updated_at }).execute();
    await db
      .insertInto('admins')
      .values({ id: adminId, account_id: accountId, person_id, role: 'owner', updated_at })
      .execute();
    await db
      .insertInto('secrets')
      .values({
        id: app.newId(),
        account_id: accountId,
        admin_id: adminId,
        name: 'first',
        hash: hashSecret(secret),
        updated_at,
      })
      .execute();
    return { account_id: accountId, user_id: adminId, account_token: token, account_secret: secret };
  };
}

async function hasAccount(db: Db): Promise<boolean> {
  return (await db.selectFrom('accounts').select('id').limit(1).execute()).length > 0;
}
