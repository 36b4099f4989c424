import { createIdSource, type Millis, type Network, type SeenProperty } from '@usher/domain';
import { type AccountClock, takeClock } from './db/account-clock.ts';
import type { CoalescedWrite } from './db/coalesced-write.ts';
import type { PreparedQuery } from './db/prepared-query.ts';
import type { Db, Storage } from './db/storage.ts';
import type { SecretBox } from './keys/secret-box.ts';
import { PageCounts, type Quotas } from './pages/page-counts.ts';
import { PublishedCache } from './published/published-cache.ts';

/** The administrator in whose name something is done. */
interface Actor {
  id: string;
  name: string;
  email: string;
  role: 'owner' | 'editor' | 'viewer';
}

/** On whose behalf a request is made. */
export interface Caller {
  account: { id: string };
  actor: Actor;
}

/** Finds the caller by a secret. Wrong and revoked ones get the same refusal. */
export type Authenticate = (secret: unknown) => Promise<Caller>;

/** What a verb receives: on whose behalf it acts, and the world it acts on. */
export interface Context {
  readonly account: { readonly id: string };
  readonly actor: Actor;
  /** Every query on it names the account. Inside `transaction` it is that transaction. */
  readonly db: Db;
  now(): Millis;
  /**
   * Inside `transaction` only: what gives records their place in lists. It is held until the transaction ends, and
   * everyone else in the account who makes records waits for it: take it after every other lock, as late as possible.
   */
  clock(): Promise<AccountClock>;
  /** An ID for what is in no list. */
  newId(): string;
  /** All of the work or nothing of it; answered after the commit. The work uses the context it is given. */
  transaction<T>(work: (ctx: Context) => Promise<T>): Promise<T>;
  /** The rows this query reads stay as they are until the transaction ends. */
  lockRows: Storage['lockRows'];
  /** Runs a query that was built before, with these values. */
  run<Row, Name extends string>(query: PreparedQuery<Row, Name>, values: Record<Name, unknown>): Promise<Row[]>;
  /** The same for one that gives a row or none. */
  find<Row, Name extends string>(
    query: PreparedQuery<Row, Name>,
    values: Record<Name, unknown>,
  ): Promise<Row | undefined>;
  /** Writes an item as a transaction of its own. */
  writeCoalesced<Item extends object, Row, Found>(
    write: CoalescedWrite<Item, Row, Found>,
    item: Item,
  ): Promise<Found | undefined>;
  readonly isLocked: Storage['isLocked'];
  /** For searches and counts, which may take long. */
  readonly heavyDb: Db;
  readonly json: Storage['json'];
  readonly rowsAtOnce: Storage['rowsAtOnce'];
  readonly lookUp: Storage['lookUp'];
  readonly upsert: Storage['upsert'];
  readonly shred: Storage['shred'];
  /** Encrypts the keys of accounts. */
  readonly secretBox: SecretBox;
  readonly propertyRegistry: PropertyRegistry;
  /** What is published, as page loads read it. */
  readonly live: PublishedCache;
  /** What pages did, by account and day. */
  readonly pageCounts: PageCounts;
  readonly webhooks: Webhooks;
  /** Where people reach this server. */
  readonly publicUrl: string;
}

/** Makes a Property of every property that is seen. */
export interface PropertyRegistry {
  /** Whether all of them are Properties by now, as far as this process has seen. */
  knows(accountId: string, seen: readonly SeenProperty[]): boolean;
  /** In the transaction that stores them: those that were never seen before become Properties at once. */
  register(ctx: Context, seen: readonly SeenProperty[]): Promise<void>;
  /** After it: the rest is written down a moment later, together with what others send. */
  note(accountId: string, seen: readonly SeenProperty[]): void;
  /** Writes down what was noted of an account. */
  flush(accountId: string): Promise<void>;
  stop(): Promise<void>;
}

/** How what is in the outbox gets to the webhooks. */
export interface Webhooks {
  /** After the commit: there is something to send. Set by who sends; until then it waits. */
  wake(accountId: string): void;
  /** Those that are sent to although they are private. */
  readonly allowNetworks: readonly Network[];
  /** Those that nothing is sent to, also when they are public or allowed. */
  readonly denyNetworks: readonly Network[];
  /** The addresses that requests come from; none: that of the machine. */
  readonly sourceAddresses: readonly string[];
  /** How many requests have ended how, since the start. */
  readonly attempts: { sent: number; failed: number };
}

/** What all requests share. */
export interface AppContext {
  readonly storage: Storage;
  readonly secretBox: SecretBox;
  readonly propertyRegistry: PropertyRegistry;
  readonly live: PublishedCache;
  readonly pageCounts: PageCounts;
  readonly webhooks: Webhooks;
  readonly publicUrl: string;
  now(): Millis;
  newId(): string;
}

const noQuotas: Quotas = { profiles: 0, hosts: 0, events: 0 };

export function createAppContext(
  storage: Storage,
  secretBox: SecretBox,
  publicUrl: string,
  createPropertyRegistry: (app: Omit<AppContext, 'propertyRegistry'>) => PropertyRegistry,
  now: () => Millis = Date.now,
  {
    allowNetworks = [],
    denyNetworks = [],
    sourceAddresses = [],
    pageQuotas = noQuotas,
  }: Partial<Webhooks & { pageQuotas: Quotas }> = {},
): AppContext {
  const attempts = { sent: 0, failed: 0 };
  const webhooks: Webhooks = { wake: () => {}, allowNetworks, denyNetworks, sourceAddresses, attempts };
  const live = new PublishedCache(storage, secretBox, now);
  const pageCounts = new PageCounts(storage, now, pageQuotas);
  const app = { storage, secretBox, publicUrl, now, newId: createIdSource(now), live, pageCounts, webhooks };
  return { ...app, propertyRegistry: createPropertyRegistry(app) };
}

export function createContext(app: AppContext, caller: Caller): Context {
  const { storage } = app;
  const { id } = caller.account;
  const transaction: Context['transaction'] = (work) =>
    storage.write(id, (db) => {
      let taken: Promise<AccountClock> | undefined;
      const clock = () => {
        taken ??= takeClock(storage, db, id, app.now());
        return taken;
      };
      const inside: Context = contextOn(app, caller, db, (nested) => nested(inside), clock);
      return work(inside);
    });
  return contextOn(app, caller, storage.reader(id), transaction, noClock);
}

function noClock(): never {
  throw new Error('The clock of an account is taken inside a transaction');
}

/** Written out once: copying it for each transaction took as long as a query. */
function contextOn(
  { storage, secretBox, propertyRegistry, live, pageCounts, webhooks, publicUrl, now, newId }: AppContext,
  { account, actor }: Caller,
  db: Db,
  transaction: Context['transaction'],
  clock: Context['clock'],
): Context {
  return {
    account,
    actor,
    db,
    now,
    clock,
    newId,
    transaction,
    lockRows: storage.lockRows,
    run: (query, values) => query.run(storage, db, account.id, values),
    find: (query, values) => query.find(storage, db, account.id, values),
    isLocked: storage.isLocked,
    writeCoalesced: (write, item) => storage.writeCoalesced(account.id, write, item, now),
    heavyDb: storage.heavyReader(account.id),
    json: storage.json,
    rowsAtOnce: storage.rowsAtOnce,
    lookUp: storage.lookUp,
    upsert: storage.upsert,
    shred: storage.shred,
    secretBox,
    propertyRegistry,
    live,
    pageCounts,
    webhooks,
    publicUrl,
  };
}
