import type { Actor, AppContext, Caller, Context } from './context.ts';
import { type AccountClock, takeClock } from './db/account-clock.ts';
import type { Db } from './db/storage.ts';

/** The actor of requests from pages and of the server's own work: no administrator is behind them. */
export const anonymous: Actor = { id: '', role: 'viewer' };

export function createContext(app: AppContext, caller: Caller, request?: Context['request']): Context {
  const { storage } = app;
  const { id } = caller.account;
  const transaction: Context['transaction'] = async (work, options) => {
    let effects: (() => void)[] | undefined;
    const result = await storage.write(
      id,
      (db) => {
        // The work of an attempt that failed had no effect.
        effects = undefined;
        let taken: Promise<AccountClock> | undefined;
        const clock = () => {
          taken ??= takeClock(storage, db, id, app.now());
          return taken;
        };
        const afterCommit = (effect: () => void) => {
          effects ??= [];
          effects.push(effect);
        };
        const inside: Context = buildContext(app, caller, request, db, {
          isInTransaction: true,
          transaction: (nested) => nested(inside),
          clock,
          afterCommit,
        });
        return work(inside);
      },
      options,
    );
    for (const effect of effects ?? []) effect();
    return result;
  };
  return buildContext(app, caller, request, storage.reader(id), { ...outside, transaction });
}

const outside = { isInTransaction: false, clock: noClock, afterCommit: (work: () => void) => work() };

function noClock(): never {
  throw new Error('The clock of an account is taken inside a transaction');
}

/** Each member is written out: spreading a context for each transaction took as long as a query. */
function buildContext(
  app: AppContext,
  { account, actor }: Caller,
  request: Context['request'],
  db: Db,
  {
    isInTransaction,
    transaction,
    clock,
    afterCommit,
  }: Pick<Context, 'isInTransaction' | 'transaction' | 'clock' | 'afterCommit'>,
): Context {
  const { storage, now, newId } = app;
  let heavyDb: Db | undefined;
  return {
    account,
    actor,
    request,
    app,
    db,
    get heavyDb() {
      heavyDb ??= storage.heavyReader(account.id, request?.heavyReads);
      return heavyDb;
    },
    dialect: storage.dialect,
    isInTransaction,
    now,
    clock,
    newId,
    transaction,
    afterCommit,
    run: (statement, values) => statement.run(storage, db, account.id, values),
    find: (statement, values) => statement.find(storage, db, account.id, values),
    writeCoalesced: (write, item) => storage.writeCoalesced(account.id, write, item, now),
  };
}
