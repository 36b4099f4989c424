import { createIdSource, type Millis, type Network, type Role, type Scope, type SeenProperty } from '@usher/domain';
import { type AccountClock, takeClock } from './db/account-clock.ts';
import type { CoalescedWrite } from './db/coalesced-write.ts';
import type { PreparedQuery } from './db/prepared-query.ts';
import type { SqlDialect } from './db/sql-dialect.ts';
import type { Db, Storage } from './db/storage.ts';
import { DiskSpace } from './disk/disk-space.ts';
import { DeletionLog } from './features/audience/deletions/deletion-log.ts';
import { StepChecks } from './features/results/failing-steps/step-checks.ts';
import { FindingPaths } from './features/delivery/interactions/finding-paths.ts';
import { Passwords } from './features/team/people/passwords.ts';
import { PickStreams } from './features/experiences/picks/pick-streams.ts';
import { TestUserMarker } from './features/audience/profiles/test-user-marker.ts';
import { FailedSignIns } from './features/team/sessions/failed-sign-ins.ts';
import { SignInLimits } from './features/team/sessions/sign-in-limits.ts';
import type { Group } from './group.ts';
import { Downloads } from './http/downloads.ts';
import type { RequestInfo } from './http/request-info.ts';
import { UntrustedProxies } from './http/untrusted-proxies.ts';
import type { SecretBox } from './keys/secret-box.ts';
import { AppCounters } from './metrics/app-counters.ts';
import { InstallationLog } from './pages/installation-log.ts';
import { PageCounts, type Quotas } from './pages/page-counts.ts';
import { PageLoadFailures } from './pages/page-load-failures.ts';
import { VisitedPaths } from './pages/visited-paths.ts';
import { PublishedCache } from './published/published-cache.ts';
import type { Settings } from './settings/settings.ts';

/** The administrator on whose behalf a request acts. */
export interface Actor {
  id: string;
  role: Role;
  /** The secret of the request. */
  secret?: { id: string; scope: Scope; networks: readonly string[] | null } | undefined;
  /** The session of the request, if it came with a cookie instead of a secret. */
  session?: ActorSession | undefined;
}

export interface ActorSession {
  id: string;
  personId: string;
  /** Until when the password need not be given again. */
  confirmedUntil: Millis;
}

/** The actor of requests from pages and of the server's own work: no administrator is behind them. */
export const anonymous: Actor = { id: '', role: 'viewer' };

/** The account and the administrator that a secret or a session belongs to. */
export interface Caller {
  account: { id: string };
  actor: Actor;
}

/** Finds the caller by a secret, or by the token of a session. Wrong and revoked ones get the same error. */
export type Authenticate = (secret: unknown) => Promise<Caller>;

/**
 * Everything that a verb needs to serve one caller. A context is made for each request and each transaction, so it must be
 * cheap to make: it has few members, and everything that all requests share is behind `app`.
 */
export interface Context {
  readonly account: { readonly id: string };
  readonly actor: Actor;
  /** The request that is served, if there is one. */
  readonly request: RequestInfo | undefined;
  /** The services that all requests share. */
  readonly app: AppContext;
  /** Every query on it must name the account. Inside `transaction` it belongs to that transaction. */
  readonly db: Db;
  /** For searches and counts, which may take long. */
  readonly heavyDb: Db;
  /** The SQL that differs between the engines. */
  readonly dialect: SqlDialect;
  /** Set while the server creates the demo or sample data: the audit log lists only what people did. */
  readonly skipsAudit?: true;
  now(): Millis;
  /**
   * Inside `transaction` only: gives records their place in lists. It is locked until the transaction ends, and everyone
   * else who creates records in the account waits for it. Take it after every other lock, as late as possible.
   */
  clock(): Promise<AccountClock>;
  /** Returns an ID for a record that is in no list. */
  newId(): string;
  /**
   * Commits all of the work or nothing of it, and resolves after the commit. The work uses the context it receives. With
   * `isLong` a single statement may take a minute, for work of any size.
   */
  transaction<T>(work: (ctx: Context) => Promise<T>, options?: { isLong?: boolean }): Promise<T>;
  /** Runs a prepared query with these values. */
  run<Row, Name extends string>(query: PreparedQuery<Row, Name>, values: Record<Name, unknown>): Promise<Row[]>;
  /** Runs a prepared query that returns at most one row. */
  find<Row, Name extends string>(
    query: PreparedQuery<Row, Name>,
    values: Record<Name, unknown>,
  ): Promise<Row | undefined>;
  /** Writes an item in its own transaction, or in one statement with items of other requests. */
  writeCoalesced<Item extends object, Row, Found>(
    write: CoalescedWrite<Item, Row, Found>,
    item: Item,
  ): Promise<Found | undefined>;
}

/** Creates a Property for every property that profiles, companies and events have. */
export interface PropertyRegistry {
  /** Whether this process knows that all of these are Properties already. */
  has(accountId: string, seen: readonly SeenProperty[]): boolean;
  /** Inside the transaction that stores the values: creates a Property for each that is new. */
  register(ctx: Context, seen: readonly SeenProperty[]): Promise<void>;
  /** After that transaction: queues the last values, which are written a moment later together with those of others. */
  record(accountId: string, seen: readonly SeenProperty[]): void;
  /** After a name was deleted: it is registered again when it is sent again. */
  forget(accountId: string, name: { kind: string; prop: string }): void;
  /** Writes what is queued for an account. */
  flush(accountId: string): Promise<void>;
  stop(): Promise<void>;
}

export interface Webhooks {
  /** Call it after the commit when there is something to send. The sender sets it when it starts. */
  wake(accountId: string): void;
  /** Private networks that webhooks may have their address in. */
  readonly allowNetworks: readonly Network[];
  /** Networks that nothing is sent to, even if they are public or allowed. */
  readonly denyNetworks: readonly Network[];
  /** The local addresses that requests are sent from. If there are none, the system chooses. */
  readonly sourceAddresses: readonly string[];
  /** Counts of requests by outcome, since the start. */
  readonly attempts: { sent: number; failed: number };
}

/** What this process has done since its start, for the page that shows its health. */
interface Activity {
  readonly startedAt: Millis;
  /** For how many days single events are kept. */
  readonly eventsDays: number;
  /** When old records were last removed. */
  lastSweepAt: Millis | null;
  /** Counts the batches on this server. The HTTP app sets it. */
  countBatches(): { running: number; waiting: number };
}

/** The settings that are checked, and the name of the installation. */
export type Setup = Pick<
  Settings,
  | 'data'
  | 'sqliteFile'
  | 'masterKey'
  | 'publicUrl'
  | 'explicitPublicUrl'
  | 'trustProxy'
  | 'requireHttps'
  | 'tls'
  | 'host'
  | 'backup'
> & { installationId: string };

/** What is known about backups. The scheduler sets it. */
interface Backups {
  /** Whether backups are made automatically. */
  isScheduled: boolean;
  last: { at: Millis; bytes: number } | undefined;
  /** Why the latest attempt failed; undefined if it did not. */
  lastError: { at: Millis; message: string } | undefined;
}

/** The services that all requests share. */
export interface AppContext {
  readonly storage: Storage;
  /** Encrypts the keys of accounts. */
  readonly secretBox: SecretBox;
  readonly propertyRegistry: PropertyRegistry;
  /** What is published, as page loads read it. */
  readonly publishedCache: PublishedCache;
  /** Counts of what pages did, by account and day. */
  readonly pageCounts: PageCounts;
  /** Whose page loads keep failing. */
  readonly pageLoadFailures: PageLoadFailures;
  /** Which paths users visit. */
  readonly visitedPaths: VisitedPaths;
  /** What pages do while an administrator watches. */
  readonly installationLog: InstallationLog;
  /** Who watches picks on this server. */
  readonly pickStreams: PickStreams;
  /** Which Experiences pages have reported about, so that their steps are checked. */
  readonly stepChecks: StepChecks;
  readonly findingPaths: FindingPaths;
  /** Marks profiles as test users when the patterns of their account have changed. */
  readonly testUserMarker: TestUserMarker;
  readonly webhooks: Webhooks;
  readonly downloads: Downloads;
  /** Whether the disk of the database has room. */
  readonly disk: DiskSpace;
  readonly activity: Activity;
  /** What the metrics count. */
  readonly counters: AppCounters;
  /** Hashes the passwords of people. */
  readonly passwords: Passwords;
  readonly signInLimits: SignInLimits;
  readonly failedSignIns: FailedSignIns;
  /** Which profiles were forgotten, outside of the database. */
  readonly deletionLog: DeletionLog;
  readonly backups: Backups;
  /** The address under which people reach this server. */
  readonly publicUrl: string;
  /** What the health of the installation is checked against; undefined in threads. */
  readonly setup: Setup | undefined;
  /** Proxies that no setting names. */
  readonly untrustedProxies: UntrustedProxies;
  /** Whether the server has the demo site. */
  readonly hasDemo: boolean;
  /** The other workers of this server, if there are any. */
  readonly group: Group | undefined;
  now(): Millis;
  newId(): string;
}

const noQuotas: Quotas = { profiles: 0, hosts: 0, events: 0, problems: 0, responses: 0, bytes: 0 };

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
    signInsPerMinute = 0,
    eventsDays = 365,
    hasDemo = false,
    group,
    deletionLogFile,
    minFreeDisk = 0,
    setup = undefined,
  }: Partial<
    Webhooks & {
      pageQuotas: Quotas;
      signInsPerMinute: number;
      eventsDays: number;
      hasDemo: boolean;
      group: Group | undefined;
      deletionLogFile: string;
      minFreeDisk: number;
      setup: Setup | undefined;
    }
  > = {},
): AppContext {
  const attempts = { sent: 0, failed: 0 };
  const webhooks: Webhooks = { wake: () => {}, allowNetworks, denyNetworks, sourceAddresses, attempts };
  const activity: Activity = {
    startedAt: now(),
    eventsDays,
    lastSweepAt: null,
    countBatches: () => ({ running: 0, waiting: 0 }),
  };
  const publishedCache = new PublishedCache(storage, secretBox, now);
  const pageCounts = new PageCounts(storage, now, pageQuotas);
  const newId = createIdSource(now);
  const app = {
    storage,
    secretBox,
    publicUrl,
    setup,
    untrustedProxies: new UntrustedProxies(),
    hasDemo,
    group,
    now,
    newId,
    publishedCache,
    pageCounts,
    pageLoadFailures: new PageLoadFailures(now),
    visitedPaths: new VisitedPaths(storage, now),
    installationLog: new InstallationLog(storage, now, newId),
    pickStreams: new PickStreams(group),
    stepChecks: new StepChecks(),
    findingPaths: new FindingPaths(),
    testUserMarker: new TestUserMarker(storage, now),
    webhooks,
    downloads: new Downloads(),
    disk: new DiskSpace(storage, minFreeDisk),
    activity,
    counters: new AppCounters(),
    passwords: new Passwords(group),
    signInLimits: new SignInLimits(signInsPerMinute, now, group),
    failedSignIns: new FailedSignIns(storage, now),
    deletionLog: new DeletionLog(deletionLogFile, storage, now),
    backups: { isScheduled: false, last: undefined, lastError: undefined },
  };
  return { ...app, propertyRegistry: createPropertyRegistry(app) };
}

export function createContext(app: AppContext, caller: Caller, request?: RequestInfo): Context {
  const { storage } = app;
  const { id } = caller.account;
  const transaction: Context['transaction'] = (work, options) =>
    storage.write(
      id,
      (db) => {
        let taken: Promise<AccountClock> | undefined;
        const clock = () => {
          taken ??= takeClock(storage, db, id, app.now());
          return taken;
        };
        const inside: Context = buildContext(app, caller, request, db, (nested) => nested(inside), clock);
        return work(inside);
      },
      options,
    );
  return buildContext(app, caller, request, storage.reader(id), transaction, noClock);
}

function noClock(): never {
  throw new Error('The clock of an account is taken inside a transaction');
}

/** Each member is written out: spreading a context for each transaction took as long as a query. */
function buildContext(
  app: AppContext,
  { account, actor }: Caller,
  request: RequestInfo | undefined,
  db: Db,
  transaction: Context['transaction'],
  clock: Context['clock'],
): Context {
  const { storage, now, newId } = app;
  return {
    account,
    actor,
    request,
    app,
    db,
    heavyDb: storage.heavyReader(account.id),
    dialect: storage.dialect,
    now,
    clock,
    newId,
    transaction,
    run: (query, values) => query.run(storage, db, account.id, values),
    find: (query, values) => query.find(storage, db, account.id, values),
    writeCoalesced: (write, item) => storage.writeCoalesced(account.id, write, item, now),
  };
}
