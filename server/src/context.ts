import type { Millis, Network, Role, Scope, SeenProperty } from '@usher/domain';
import type { AccountClock } from './db/account-clock.ts';
import type { CoalescedWrite } from './db/coalesced-write.ts';
import type { PreparedStatement, SqlValue } from './db/prepared-statement.ts';
import type { SqlDialect } from './db/sql-dialect.ts';
import type { Db, Storage } from './db/storage.ts';
import type { Group } from './group.ts';
import type { SecretBox } from './keys/secret-box.ts';
import type { Settings } from './settings/settings.ts';

/** The administrator on whose behalf a request acts. */
export interface Actor {
  id: string;
  role: Role;
  /** The secret of the request. */
  secret?: { id: string; scope: Scope; people: boolean; networks: readonly string[] | null } | undefined;
  /** The session of the request, if it came with a cookie instead of a secret. */
  session?: ActorSession | undefined;
}

export interface ActorSession {
  id: string;
  personId: string;
  /** Until when the password need not be given again. */
  confirmedUntil: Millis;
}

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
  /** The services that all requests share. */
  readonly app: AppContext;
  /** Every query on it must name the account. Inside `transaction` it belongs to that transaction. */
  readonly db: Db;
  /** For searches and counts, which may take long. */
  readonly heavyDb: Db;
  /** The SQL that differs between the engines. */
  readonly dialect: SqlDialect;
  /** Whether this context belongs to a transaction. */
  readonly isInTransaction: boolean;
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
  /**
   * Runs this after the commit of the transaction, and not at all if there is none. Outside of a transaction it runs
   * immediately.
   */
  afterCommit(work: () => void): void;
  run<Row, Name extends string>(
    statement: PreparedStatement<Row, Name>,
    values: Record<Name, SqlValue>,
  ): Promise<Row[]>;
  /** Runs a statement that returns at most one row. */
  find<Row, Name extends string>(
    statement: PreparedStatement<Row, Name>,
    values: Record<Name, SqlValue>,
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
  /** After that transaction: queues the last values, which are written a moment later together with values of other requests. */
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
export interface Activity {
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
  | 'basePath'
  | 'pageUrl'
  | 'explicitPageUrl'
  | 'trustProxy'
  | 'requireHttps'
  | 'tls'
  | 'certificates'
  | 'host'
  | 'backup'
  | 'export'
  | 'streams'
  | 'connections'
> & { installationId: string };

/** What owners of the installation see of backups, and do. */
export interface BackupSchedule {
  place: string;
  everyMs: Millis;
  keep: number;
  list(): Promise<{ name: string; bytes: number }[]>;
  readState(): Promise<{
    last?: { at: Millis };
    error?: { at: Millis; message: string };
    claimed_at?: Millis;
    /** The bytes that are written. */
    progress?: string;
  }>;
  /** Begins to make a backup now. Returns false if one is being made. */
  start(): Promise<boolean>;
}

/** What is known about backups. The scheduler sets it. */
interface Backups {
  /** Whether backups are made automatically. */
  isScheduled: boolean;
  last: { at: Millis; bytes: number } | undefined;
  /** Why the latest attempt failed; undefined if it did not. */
  lastError: { at: Millis; message: string } | undefined;
  /** Undefined if there is no place for backups. */
  schedule: BackupSchedule | undefined;
}

/** What is known about exports for a warehouse. Their scheduler sets it. */
interface Exports {
  /** Whether rows are exported automatically. */
  isScheduled: boolean;
  last: { at: Millis; files: number; rows: number; bytes: number } | undefined;
  lastError: { at: Millis; message: string } | undefined;
  /** How far a node is now; undefined while none exports. */
  progress: string | undefined;
}

/** The services that all requests share. Other files add theirs, with `declare module`: this one knows only what every verb uses. */
export interface AppContext {
  readonly storage: Storage;
  /** Encrypts the keys of accounts. */
  readonly secretBox: SecretBox;
  readonly propertyRegistry: PropertyRegistry;
  readonly webhooks: Webhooks;
  readonly activity: Activity;
  readonly backups: Backups;
  readonly exports: Exports;
  /** The address under which people reach this server. */
  readonly publicUrl: string;
  /** The address under which pages load the script. */
  readonly pageUrl: string;
  /** What the health of the installation is checked against; undefined in threads. */
  readonly setup: Setup | undefined;
  /** Whether the server has the demo site. */
  readonly hasDemo: boolean;
  /** The other workers of this server, if there are any. */
  readonly group: Group | undefined;
  now(): Millis;
  newId(): string;
}
