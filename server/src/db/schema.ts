import type {
  Activity,
  Appearance,
  ChangeKind,
  ChangeOp,
  Content,
  Custom,
  Diff,
  Document,
  ExperienceKind,
  Finding,
  GroupOp,
  InteractionState,
  ItemState,
  Millis,
  ModelType,
  Profile,
  RegisteredKind,
  Sample,
  SegmentItem,
  Texts,
  Topic,
  Url,
  WebhookEventKind,
  WebhookPayload,
  WebhookState,
} from '@usher/domain';
import type { ColumnType, Generated, Kysely } from 'kysely';

/** JSON goes in as text and comes out parsed, on both engines. */
type Json<T> = ColumnType<T, string, string>;
/** May be left out of an insert. */
type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>;

/*
 * Rows as they are stored. Times are milliseconds. There is no created_at: the ID holds it.
 */
export interface Schema {
  /** What has been applied. The row with the empty name is there to be locked. */
  migrations: { name: string };
  accounts: {
    id: string;
    name: string;
    /** Public: it names the account in the browser script. */
    token: string;
    updated_at: Millis;
    /** Keys the hashes of what was deleted. Made when first needed, and encrypted, as the other two keys are. */
    hash_key: Nullable<string>;
    /** Whether Experiences may hold code that runs in the customer's pages. */
    allow_scripts: Generated<boolean>;
    /** How many Deliveries may be pending for one profile. */
    delivery_ids_limit: Generated<number>;
    /** Signs the tokens of visits. Made when first needed. */
    visit_key: Nullable<string>;
    /** Whether a page must prove who its user is. */
    require_uid_hash: Generated<boolean>;
    /** What it proves that with. */
    uid_secret: Nullable<string>;
    /** Whether unproven pages may change everything of the user they name. */
    trust_pages: Generated<boolean>;
  };
  /** What is true of all accounts, by its name. */
  installation: {
    name: string;
    value: string;
  };
  admins: {
    id: string;
    account_id: string;
    name: string;
    email: string;
    role: 'owner' | 'editor' | 'viewer';
    password_hash: Nullable<string>;
    updated_at: Millis;
  };
  secrets: {
    id: string;
    account_id: string;
    admin_id: string;
    name: string;
    /** SHA-256: the secret itself is shown once and kept nowhere. */
    hash: string;
    last_used_at: Nullable<Millis>;
    revoked_at: Nullable<Millis>;
    updated_at: Millis;
  };
  /** What orders the records of an account: locked by each transaction that makes any, until it is committed. */
  account_clocks: {
    account_id: string;
    /** The last one that was given out. */
    tick: number;
  };
  url_groups: {
    account_id: string;
    id: string;
    updated_at: Millis;
    archived_at: Nullable<Millis>;
    name: string;
    description: Nullable<string>;
    short_name: Nullable<string>;
    style_short_name_color: Nullable<string>;
  };
  urls: {
    account_id: string;
    id: string;
    updated_at: Millis;
    url_group_id: Nullable<string>;
    host: string;
    domain: string;
    enabled: Url['enabled'];
    installed_at: Nullable<Millis>;
    first_seen_at: Nullable<Millis>;
    last_seen_at: Nullable<Millis>;
    archived_at: Nullable<Millis>;
  };
  properties: {
    account_id: string;
    id: string;
    updated_at: Millis;
    name: string;
    description: Nullable<string>;
    kind: RegisteredKind;
    prop: string;
    integration: Nullable<string>;
    last_seen_at: Nullable<Millis>;
    types: Json<string[]>;
    samples: Json<Sample[]>;
  };
  companies: {
    account_id: string;
    id: string;
    updated_at: Millis;
    uid: string;
    custom: Json<Custom>;
  };
  profiles: {
    account_id: string;
    id: string;
    updated_at: Millis;
    uid: string;
    /** As it was given. */
    email: Nullable<string>;
    /** As it is found. */
    email_key: Nullable<string>;
    company_id: Nullable<string>;
    browser_x: Nullable<number>;
    browser_tz: Nullable<number>;
    browser_l: Nullable<string>;
    browser_n: Nullable<NonNullable<Profile['browser_n']>>;
    browser_k: Nullable<NonNullable<Profile['browser_k']>>;
    percent: number;
    last_seen_at: Nullable<Millis>;
    last_seen_session_count: Generated<number>;
    last_cleared_at: Nullable<Millis>;
    /** Of the pending Deliveries, in their order. */
    delivery_ids: ColumnType<string[], string | undefined, string>;
    custom: Json<Custom>;
    /** The keys of `custom` that were last written by an unproven page. */
    page_keys: ColumnType<string[], string | undefined, string>;
  };
  /** Each one that was tracked; the ID holds when. */
  events: {
    account_id: string;
    id: string;
    profile_id: string;
    name: string;
    custom: Json<Custom>;
    /** Of the page that sent it, so that it is one however often it comes. */
    idempotency_key: Nullable<string>;
  };
  /** The same, counted. */
  profile_events: {
    account_id: string;
    profile_id: string;
    name: string;
    count: number;
    first_at: Millis;
    last_at: Millis;
  };
  /** What a user did with an Experience: one row for both. */
  interactions: {
    account_id: string;
    id: string;
    updated_at: Millis;
    /** The place of the last update among all of the account: what lists by update are ordered by. */
    updated_tick: Generated<number>;
    experience_id: string;
    profile_id: string;
    state: InteractionState;
    group_id: Nullable<string>;
    group_kind: Nullable<string>;
    defer_count: Generated<number>;
    defer_until: Nullable<Millis>;
    goal_at: Nullable<Millis>;
    /** When each state was last come to. */
    displayed_at: Nullable<Millis>;
    started_at: Nullable<Millis>;
    completed_at: Nullable<Millis>;
    exited_at: Nullable<Millis>;
    /** The furthest step that was seen in the showing. */
    step_id: Nullable<string>;
    /** Of the reports of the showing: the moments of the first (0 where no showing was before) and the last. */
    showing_from: Generated<number>;
    showing_to: Generated<number>;
    /** The moment of the last report that it was displayed: these begin no showing. */
    displayed_to: Generated<number>;
    /** The time of the page load that has ended or snoozed the showing. */
    ended_by: Nullable<Millis>;
  };
  /** Which users did what on which day (UTC, since 1970): one row however often. */
  activities: {
    account_id: string;
    experience_id: string;
    day: number;
    what: Activity;
    /** The step or button; empty where it is the Experience itself. */
    part_id: string;
    profile_id: string;
  };
  /** Whether users found what they were to see at an element of a page, or why not: by day, as activities. */
  findings: {
    account_id: string;
    experience_id: string;
    day: number;
    /** The step; of a launcher its own ID. */
    part_id: string;
    path: string;
    finding: Finding;
    profile_id: string;
    /** The last page load of the day with this finding. */
    at: Millis;
  };
  /** Counts up with every write that page loads have to know of. */
  published_versions: {
    account_id: string;
    version: number;
  };
  /** How many automatic Experiences one user gets to see. */
  /** How often something happened with pages on one day: what they made, and what was ignored. */
  page_counts: {
    account_id: string;
    day: number;
    what: string;
    count: number;
  };
  limit_groups: {
    account_id: string;
    id: string;
    updated_at: Millis;
    name: string;
    max_count: number;
    period_hours: number;
    /** None: all of them. */
    experience_ids: Json<string[]>;
  };
  /** What a user answered in one showing of a survey. */
  responses: {
    account_id: string;
    id: string;
    updated_at: Millis;
    /** As of interactions. */
    updated_tick: Generated<number>;
    experience_id: string;
    profile_id: string;
    showing_from: Generated<number>;
    href: Nullable<string>;
    finished_at: Nullable<Millis>;
  };
  /** One for each step of a Response that was answered. */
  answers: {
    account_id: string;
    response_id: string;
    step_id: string;
    profile_id: string;
    experience_id: string;
    question_order: number;
    button_id: Nullable<string>;
    /** Also of a number of a scale, or an item of a list. */
    button_index: Nullable<number>;
    button_text: Nullable<string>;
    /** The answer where it is no button: a number of a scale, an item of a list. */
    value: Nullable<string>;
    input: Nullable<string>;
  };
  /** Whom the account tells of what its users do. */
  webhooks: {
    account_id: string;
    id: string;
    updated_at: Millis;
    kind: 'webhook';
    /** The address. */
    uid: string;
    name: string;
    topics: Json<Topic[]>;
    /** None: of all of them. */
    experience_ids: Json<string[]>;
    /** Counts up with each rotation: the secret is made of it, and kept nowhere. */
    secret_version: number;
    /** For a while after it, the secret before signs too. */
    secret_rotated_at: Nullable<Millis>;
    enabled: boolean;
    /** Since when nothing but failures; null after a success. */
    failing_since: Nullable<Millis>;
    last_item_at: Nullable<Millis>;
    last_item_state: Nullable<WebhookState>;
    last_item_error: Nullable<string>;
  };
  /** What webhooks are to be told, until it is spread to their rows of the outbox. The ID holds when it came about. */
  webhook_events: {
    account_id: string;
    id: string;
    profile_id: string;
    kind: WebhookEventKind;
    payload: Json<WebhookPayload>;
    /** Of what a page may report again: by what it is known. */
    repeat_key: Nullable<string>;
    /** Of those that asked for it then, with spaces in between. */
    webhook_ids: string;
    at: Millis;
  };
  /** What a webhook is told: one row for each item and webhook. The ID is that of the tidings. */
  outbox: {
    account_id: string;
    webhook_id: string;
    /** The same for every webhook that is told of one thing. */
    id: string;
    /** Null: it is of no user. */
    profile_id: Nullable<string>;
    kind: WebhookEventKind;
    payload: Json<WebhookPayload>;
    /** Of what a page may report again: by what it is known. */
    repeat_key: Nullable<string>;
    /** How many have ended. */
    attempts: number;
    /** Null: it was sent, or given up. `BEHIND`: an earlier one of the same user is still to be sent. */
    next_at: Nullable<Millis>;
    state: ItemState;
  };
  /** What became of each request for an item. */
  webhook_attempts: {
    account_id: string;
    id: string;
    webhook_id: string;
    item_id: string;
    profile_id: Nullable<string>;
    kind: WebhookEventKind;
    at: Millis;
    /** Null: there was no answer. */
    status: Nullable<number>;
    ms: number;
    /** How it begins. */
    answer: Nullable<string>;
    error: Nullable<string>;
  };
  deliveries: {
    account_id: string;
    id: string;
    updated_at: Millis;
    model_id: string;
    model_kind: 'tour' | 'survey';
    profile_id: string;
    idempotency_key: Nullable<string>;
    options: ColumnType<unknown, string | null | undefined, string | null>;
    from_at: Nullable<Millis>;
    until_at: Nullable<Millis>;
    use_segmentation: boolean;
    once: boolean;
    skip_triggers: boolean;
    skip_url_match: boolean;
    /** When it was triggered. */
    at: Nullable<Millis>;
    at_href: Nullable<string>;
    interaction_id: Nullable<string>;
    /** The showing that triggered it, so that the same report again is known. */
    claimed_by: Nullable<string>;
    group_kind: Nullable<string>;
    /** A removed one stays: its idempotency key is used for ever. */
    removed_at: Nullable<Millis>;
    /** Set where it was the server that removed it, and not a client. */
    removed_reason: Nullable<string>;
  };
  segments: {
    account_id: string;
    id: string;
    updated_at: Millis;
    name: string;
    items: Json<SegmentItem[]>;
    items_op: GroupOp;
  };
  /** Proof of what was deleted: the ID holds when, the hash proves whose it was. */
  deletions: {
    account_id: string;
    id: string;
    hash: string;
  };
  /** The draft is what administrators write; what users see is a version. */
  experiences: {
    account_id: string;
    id: string;
    updated_at: Millis;
    kind: ExperienceKind;
    draft: Json<Document>;
    /** By ID of the model: the capture that shows how it looks now. */
    captures: Json<Record<string, string>>;
    version_id: Nullable<string>;
    published_at: Nullable<Millis>;
    /** What replaces the version, and when. */
    next_version_id: Nullable<string>;
    next_published_at: Nullable<Millis>;
    published_until: Nullable<Millis>;
    archived_at: Nullable<Millis>;
  };
  /** What was frozen by a publish. */
  versions: {
    account_id: string;
    id: string;
    experience_id: string;
    change_id: string;
    admin_id: string;
    published_at: Millis;
    content: Json<Content>;
  };
  languages: {
    account_id: string;
    id: string;
    updated_at: Millis;
    code: string;
  };
  /** The texts of a draft in another language. */
  translations: {
    account_id: string;
    experience_id: string;
    language: string;
    texts: Json<Texts>;
  };
  tags: {
    account_id: string;
    id: string;
    updated_at: Millis;
    uid: string;
    name: string;
  };
  changes: {
    account_id: string;
    id: string;
    /** The first Change of the same write. */
    write_id: string;
    experience_id: string;
    model_id: string;
    model_type: ModelType;
    kind: ChangeKind;
    /** What was done to the model, where the kind tells how it came about. */
    op: ChangeOp;
    path: string;
    object: Json<Record<string, unknown>>;
    options: Json<Record<string, Diff>>;
    admin_id: string;
  };
  /** Which properties a Change touches. */
  change_properties: {
    account_id: string;
    property: string;
    change_id: string;
    experience_id: string;
  };
  captures: {
    account_id: string;
    id: string;
    experience_id: string;
    model_id: string;
    look: Json<Appearance>;
  };
}

export type Db = Kysely<Schema>;

/** Whose rows a table holds: one account's, found only by naming that account, or everyone's. */
export const tables: Record<Exclude<keyof Schema, 'migrations'>, 'global' | 'tenant'> = {
  accounts: 'global',
  installation: 'global',
  admins: 'global',
  secrets: 'global',
  account_clocks: 'tenant',
  url_groups: 'tenant',
  urls: 'tenant',
  properties: 'tenant',
  companies: 'tenant',
  profiles: 'tenant',
  events: 'tenant',
  profile_events: 'tenant',
  interactions: 'tenant',
  responses: 'tenant',
  answers: 'tenant',
  activities: 'tenant',
  findings: 'tenant',
  published_versions: 'tenant',
  limit_groups: 'tenant',
  page_counts: 'tenant',
  deliveries: 'tenant',
  webhooks: 'tenant',
  webhook_events: 'tenant',
  outbox: 'tenant',
  webhook_attempts: 'tenant',
  segments: 'tenant',
  deletions: 'tenant',
  experiences: 'tenant',
  versions: 'tenant',
  languages: 'tenant',
  translations: 'tenant',
  tags: 'tenant',
  changes: 'tenant',
  change_properties: 'tenant',
  captures: 'tenant',
};
