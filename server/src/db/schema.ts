import type {
  AlertStyle,
  Appearance,
  AuditAction,
  BrowserFamily,
  ChangeKind,
  ChangeOp,
  Content,
  CsvDelimiter,
  Custom,
  CustomSources,
  Device,
  Diff,
  Document,
  EventDefinition,
  EventFacts,
  ExclusiveKind,
  ExperienceKind,
  Filter,
  Finding,
  GoalRule,
  GroupKind,
  GroupOp,
  ImportKind,
  ImportMapping,
  ImportModel,
  ImportState,
  InstallationEntryKind,
  InstallationOutcome,
  InteractionState,
  InterruptionMeasure,
  ItemState,
  LinkKind,
  Millis,
  ModelType,
  MoveProgress,
  MoveStage,
  PageLooks,
  PageSketch,
  PendingStart,
  PickPurpose,
  PickResult,
  PictureType,
  Preferences,
  Profile,
  ProposalState,
  PublishedBefore,
  Publishers,
  RegisteredKind,
  RemovedReason,
  ReportKind,
  Role,
  Sample,
  SampleType,
  Scope,
  SegmentItem,
  ShareChange,
  StoredActivity,
  Texts,
  ThemeDocument,
  Topic,
  UnprovenUse,
  Url,
  Variant,
  WebhookEventKind,
  WebhookKind,
  WebhookPayload,
  WebhookState,
} from '@usher/domain';
import type { ColumnType, Generated, Kysely } from 'kysely';

/** JSON is written as text and read as a parsed value, on both engines. */
type Json<T> = ColumnType<T, string, string>;
/** Can be left out of an insert. */
type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>;

type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>;

/*
 * Rows as they are stored. Times are milliseconds. The ID contains the time of creation: `created_at` is set only for records that came
 * from another service, whose IDs contain another time.
 */
export interface Schema {
  /** The migrations that were applied. Nodes that start lock the row with the empty name. */
  migrations: { name: string };
  accounts: {
    id: string;
    name: string;
    /** Identifies the account in the browser script. It is public. */
    token: string;
    updated_at: Millis;
    /** The key for hashes of deleted records. It is created when it is first needed, and encrypted like the other two keys. */
    hash_key: Nullable<string>;
    /** Whether Experiences may contain code that runs in the customer's pages. */
    allow_scripts: Generated<boolean>;
    allow_globals: Generated<boolean>;
    /** Whether unproven pages may read `percent`. */
    allow_percent: Generated<boolean>;
    /** How many Deliveries may be pending for one profile. */
    delivery_ids_limit: Generated<number>;
    /** Signs the tokens of visits. It is created when it is first needed. */
    visit_key: Nullable<string>;
    /** Whether a page must prove who its user is. */
    require_uid_hash: Generated<boolean>;
    /** The secret for that proof. */
    uid_secret: Nullable<string>;
    /** Whether unproven pages may change all properties of the user they name. */
    trust_pages: Generated<boolean>;
    /** Whether users who have not signed in have profiles. */
    anonymous_users: Generated<boolean>;
    /** Anonymous profiles that were not seen for so many days are deleted. */
    anonymous_days: Generated<number>;
    /** Whether editors may publish, or owners only. */
    who_may_publish: Generated<Publishers>;
    /** Whether the paths of visited pages are recorded. */
    record_paths: Generated<boolean>;
    /** Patterns of the emails of test users. */
    test_emails: ColumnType<string[], string | undefined, string>;
    /** When the patterns last changed. Null once it is certain that every profile is marked by them. */
    test_emails_changed_at: Nullable<Millis>;
    /** The `test_emails_changed_at` by which every profile was last marked. */
    test_emails_marked_at: Nullable<Millis>;
    /** Where the days of results begin, for what users do from `time_zone_changed_at` on. */
    time_zone: Generated<string>;
    time_zone_changed_at: Nullable<Millis>;
    /** The percent of the users to whom nothing shows automatically until `holdout_until`, and when this began. */
    holdout_percent: Generated<number>;
    holdout_until: Nullable<Millis>;
    holdout_from: Nullable<Millis>;
    /** When the counts of the account are made again from its rows; null if they need not be. */
    recount_at: Nullable<Millis>;
    /** The first day on which it is known how users went through steps; 0 if it was always known. */
    flow_from: Generated<number>;
    /** The first day on which it is known how often users were interrupted. Before, nothing was counted. */
    interruptions_from: Generated<number>;
  };
  /** Settings of the whole installation, by name. */
  installation: {
    name: string;
    value: string;
  };
  /** The certificate that an ACME directory has issued for some domains, and how far the next order is. */
  certificates: {
    directory: string;
    /** In alphabetical order, separated by commas. */
    domains: string;
    /** As PEM; null before the first one was issued. */
    chain: Nullable<string>;
    /** Encrypted with the master key. */
    private_key: Nullable<string>;
    /** The order in progress, and when its node last said that it goes on. */
    claim: Nullable<string>;
    claimed_at: Nullable<Millis>;
    /** How many orders have failed since the last certificate, why the latest one did, and when the next one may begin. */
    failures: Generated<number>;
    error: Nullable<string>;
    retry_at: Nullable<Millis>;
  };
  /** The key of our account at an ACME directory, encrypted with the master key. */
  acme_accounts: {
    directory: string;
    private_key: string;
  };
  /** What any node returns when an ACME directory checks that a domain leads here. */
  acme_challenges: {
    token: string;
    key_authorization: string;
    created_at: Millis;
  };
  /** Someone who signs in: once per server, with a role in each of their accounts. */
  people: {
    id: string;
    name: string;
    /** The email as the person typed it. */
    email: string;
    /** Normalized for lookups. */
    email_key: string;
    /** Null until the person has chosen a password. */
    password_hash: Nullable<string>;
    updated_at: Millis;
  };
  /** The role of a person in an account. The row of a removed administrator stays, because Changes name it. */
  admins: {
    id: string;
    account_id: string;
    person_id: string;
    role: Role;
    updated_at: Millis;
    removed_at: Nullable<Millis>;
    /** What a later version adds is missing here. */
    preferences: ColumnType<Partial<Preferences> | null, string | undefined, string | null>;
    /** When Home was left the last time, and when it was left before the visit that this time ended. */
    home_left_at: Nullable<Millis>;
    home_left_before: Nullable<Millis>;
  };
  secrets: {
    id: string;
    account_id: string;
    admin_id: string;
    name: string;
    /** SHA-256. The secret itself is shown once and never stored. */
    hash: string;
    last_used_at: Nullable<Millis>;
    revoked_at: Nullable<Millis>;
    updated_at: Millis;
    scope: Generated<Scope>;
    expires_at: Nullable<Millis>;
    /** The networks that requests with this secret may come from; null means all. */
    networks: ColumnType<string[] | null, string | null | undefined, string | null>;
    /** Whether assistants with this secret may read data of people. */
    people: Generated<boolean>;
    /** The secret that created this one, and with which it is revoked. */
    parent_id: Nullable<string>;
  };
  /** A browser in which a person has signed in. */
  sessions: {
    id: string;
    /** SHA-256 of the token in the cookie. It changes when the token is rotated. */
    hash: string;
    person_id: string;
    /** The account that the person works in at the moment. */
    account_id: string;
    last_used_at: Millis;
    /** When the person gave their password the last time. */
    confirmed_at: Nullable<Millis>;
    user_agent: string;
    network: string;
    ended_at: Nullable<Millis>;
  };
  /** Links that work once: to set the installation up, to join an account, to choose a new password. */
  links: {
    id: string;
    /** SHA-256 of the token in the link. */
    hash: string;
    kind: LinkKind;
    /** The person who gets a new password. */
    person_id: Nullable<string>;
    account_id: Nullable<string>;
    role: Nullable<Role>;
    /** The administrator who invites; null for links from the command line. */
    created_by: Nullable<string>;
    expires_at: Millis;
    used_at: Nullable<Millis>;
    /** For whom an invitation is, in the words of the owner. */
    note: Nullable<string>;
    /** The secret that created the invitation, and with which it is withdrawn. */
    secret_id: Nullable<string>;
  };
  /** What administrators did, in the order of the account's clock. Rows are only ever added. */
  audit_entries: {
    account_id: string;
    id: string;
    /** Null for the command line. */
    admin_id: Nullable<string>;
    /** The secret that was used; null for a person who has signed in. */
    secret_id: Nullable<string>;
    action: AuditAction;
    target_type: Nullable<string>;
    target_id: Nullable<string>;
    details: Json<Record<string, unknown>>;
    network: Nullable<string>;
  };
  /** Orders the records of an account. Each transaction that creates records locks its row until the commit. */
  account_clocks: {
    account_id: string;
    /** The last tick that was used. */
    tick: number;
  };
  url_groups: {
    account_id: string;
    id: string;
    created_at: Nullable<Millis>;
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
    created_at: Nullable<Millis>;
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
    created_at: Nullable<Millis>;
    updated_at: Millis;
    name: string;
    description: Nullable<string>;
    kind: RegisteredKind;
    prop: string;
    integration: Nullable<string>;
    last_seen_at: Nullable<Millis>;
    types: Json<string[]>;
    samples: Json<Sample[]>;
    /** Whether only unproven pages have sent it: of one user (`once`), or of more (`often`). Null if somebody else has. */
    unproven: Nullable<UnprovenUse>;
    /** Whether it is left out of the list. */
    hidden: Generated<boolean>;
    /** Only of Event Names that were seen. */
    event_facts: NullableJson<EventFacts>;
    /** Only of Event Names that are counted without code. */
    definition: NullableJson<EventDefinition>;
    published_at: Nullable<Millis>;
  };
  companies: {
    account_id: string;
    id: string;
    created_at: Nullable<Millis>;
    updated_at: Millis;
    uid: string;
    custom: Json<Custom>;
  };
  profiles: {
    account_id: string;
    id: string;
    created_at: Nullable<Millis>;
    updated_at: Millis;
    uid: string;
    /** The email as the client sent it. */
    email: Nullable<string>;
    /** Normalized for lookups. */
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
    /** The IDs of the pending Deliveries, in their order. */
    delivery_ids: ColumnType<string[], string | undefined, string>;
    pending_starts: ColumnType<PendingStart[], string | undefined, string>;
    wake_count: Generated<number>;
    custom: Json<Custom>;
    /** The keys of `custom` whose last write came from an unproven page. */
    page_keys: ColumnType<string[], string | undefined, string>;
    /** When and by whom the keys of `custom` were sent. Page loads write it, but do not read it. */
    custom_sources: ColumnType<CustomSources | null, string | null | undefined, string | null>;
    /** Whether an administrator has said that this is a test user or is none. Null: the patterns of the account decide. */
    test: Nullable<boolean>;
    /** Whether numbers leave the profile out: the outcome of `isTestUser`. */
    is_test: Generated<boolean>;
  };
  /** Tracked events. The ID contains the time. */
  events: {
    account_id: string;
    id: string;
    profile_id: string;
    name: string;
    custom: Json<Custom>;
    /** The key of the page that sent it, so that an event that is sent again is stored once. */
    idempotency_key: Nullable<string>;
    /** The file of the export for warehouses that has the row; null while none has it. */
    exported_in: Nullable<number>;
  };
  /** Counts of the events of each user, by name. */
  profile_events: {
    account_id: string;
    profile_id: string;
    name: string;
    count: number;
    first_at: Millis;
    last_at: Millis;
  };
  /** How many events of a name there were in a quarter of an hour, without those of test users. */
  event_counts: {
    account_id: string;
    name: string;
    /** The quarters of an hour since 1970. */
    quarter: number;
    count: number;
  };
  /** What a user did with an Experience: one row for each user and Experience. */
  interactions: {
    account_id: string;
    id: string;
    created_at: Nullable<Millis>;
    updated_at: Millis;
    /** The tick of the last update, which orders lists by update. */
    updated_tick: Generated<number>;
    experience_id: string;
    profile_id: string;
    state: InteractionState;
    group_id: Nullable<string>;
    group_kind: Nullable<GroupKind>;
    defer_count: Generated<number>;
    defer_until: Nullable<Millis>;
    goal_at: Nullable<Millis>;
    /** When each state was last reached. */
    displayed_at: Nullable<Millis>;
    started_at: Nullable<Millis>;
    completed_at: Nullable<Millis>;
    exited_at: Nullable<Millis>;
    /** When it was last snoozed. Null for what was snoozed in earlier versions. */
    snoozed_at: Nullable<Millis>;
    /** The furthest step that was seen in the showing. */
    step_id: Nullable<string>;
    /** The times of the first report of the showing (0 if there was no showing before) and of the last one. */
    showing_from: Generated<number>;
    showing_to: Generated<number>;
    /** The time of the last report that it was displayed. Such reports begin no showing. */
    displayed_to: Generated<number>;
    /** The time of the page load that ended or snoozed the showing. */
    ended_by: Nullable<Millis>;
    /** The step that the user sees, and since when. */
    current_step_id: Nullable<string>;
    current_step_at: Nullable<Millis>;
    /** When the user completed each item of a checklist, as a JSON object. It stays, also if the item is removed. */
    items: Nullable<string>;
  };
  /** Which users did what on which day (counted since 1970, in the time zone that the account had then): one row, however often. */
  activities: {
    account_id: string;
    /** Or a reach scope: what the user did with any Experience, or with any of a kind. */
    experience_id: string;
    day: number;
    what: StoredActivity;
    /** The step or button; empty for the Experience itself. */
    part_id: string;
    profile_id: string;
    /** The day on which the user did the same before (-1: never), also when that row was deleted because of its age. */
    previous_day: Generated<number>;
    /** The language of the texts, the device and the Environment of the first time on this day; empty if unknown. */
    language: Generated<string>;
    device: Generated<Device>;
    url_group_id: Generated<string>;
    /** The arm of the user while an experiment ran; else empty. */
    variant: Generated<string>;
    /** The file of the export for warehouses that has the row; null while none has it. */
    exported_in: Nullable<number>;
    /** When it was reported for the first time on this day. Null in rows from earlier versions. */
    at: Nullable<Millis>;
    /** Of a step that the user went on from: how long it was there, rounded to two digits, if that is known. */
    seconds: Nullable<number>;
    /** The version that the user saw; empty if unknown. */
    version_id: Generated<string>;
  };
  /**
   * How many users did something on a day, by the day on which the same user did it before (-1: never). So the users in a range of days are
   * those whose day is in it and whose previous day is before it.
   */
  activity_counts: {
    account_id: string;
    experience_id: string;
    day: number;
    what: StoredActivity;
    part_id: string;
    previous_day: number;
    language: string;
    device: Device;
    url_group_id: string;
    /** The arm of the users while an experiment ran; else empty. */
    variant: string;
    count: number;
  };
  /** The same, by the version that users saw. */
  version_counts: {
    account_id: string;
    experience_id: string;
    day: number;
    what: StoredActivity;
    part_id: string;
    previous_day: number;
    version_id: string;
    count: number;
  };
  /** How long users saw each step before they went on: how many of them, by the rounded seconds. */
  step_times: {
    account_id: string;
    experience_id: string;
    day: number;
    step_id: string;
    seconds: number;
    count: number;
  };
  /** How many users gave an answer on a day, by the day on which the same user gave the same answer before. */
  answer_counts: {
    account_id: string;
    experience_id: string;
    day: number;
    step_id: string;
    /** Empty for no button. */
    button_id: string;
    /** Empty for no value. */
    value: string;
    previous_day: number;
    count: number;
  };
  /**
   * How many users had a number from 0 to 10 as their last answer to a step on a day, by the next day on which the same user answered the step.
   * So the last answers in a range of days are those whose day is in it and whose next day is after it.
   */
  score_counts: {
    account_id: string;
    experience_id: string;
    day: number;
    step_id: string;
    value: string;
    next_day: number;
    count: number;
  };
  /** The interruptions of a user by an Experience that began on a day, and what the user saw of them on that day. */
  interruption_days: {
    account_id: string;
    profile_id: string;
    day: number;
    experience_id: string;
    interruptions: number;
    /** Different steps that were seen. */
    steps: number;
    seconds: number;
  };
  /** How many users have a number of interruptions, steps or seconds in a week, which is the day of its Monday. Test users are left out. */
  interruption_counts: {
    account_id: string;
    week: number;
    measure: InterruptionMeasure;
    value: number;
    count: number;
  };
  /** How many Responses a survey has, of all time: without a Segment in total, else from its users. */
  response_counts: {
    account_id: string;
    experience_id: string;
    segment_id: string;
    count: number;
  };
  /** How many users an Experience has, of all time, and when the last one did something. */
  experience_counts: {
    account_id: string;
    experience_id: string;
    started_count: number;
    completed_count: number;
    exited_count: number;
    displayed_count: number;
    last_started_at: Nullable<Millis>;
    last_completed_at: Nullable<Millis>;
    last_exited_at: Nullable<Millis>;
    last_displayed_at: Nullable<Millis>;
    /** Above 0, the last times must be read from the Interactions: the user who had one of them was removed. */
    stale: Generated<number>;
  };
  /** Whether users found the element of a page that an Experience needs, or why not; by day, like activities. */
  findings: {
    account_id: string;
    experience_id: string;
    day: number;
    /** The step; for a launcher its own ID. */
    part_id: string;
    path: string;
    finding: Finding;
    profile_id: string;
    /** The first and the last page load of the day with this finding. The first is null in rows from earlier versions. */
    first_at: Nullable<Millis>;
    at: Millis;
    /** The browser of the last one. */
    browser: Generated<BrowserFamily>;
    /** Whether the user has proven who they are or was known before, so that it counts when the step is called failing. */
    is_known: Generated<boolean>;
  };
  /** The steps that most users do not see, and the steps that have recovered: webhooks get one item in between. */
  failing_steps: {
    account_id: string;
    experience_id: string;
    /** The step; for a launcher its own ID. */
    part_id: string;
    /** False once it has recovered. */
    is_failing: boolean;
    /** When the first person did not see it. */
    since: Millis;
    /** How many users did not see the step, and how many should have. */
    users_count: number;
    total_users_count: number;
    /** Where the most of them were. */
    path: string;
    browser: BrowserFamily;
    /** The time of the counts: what was counted earlier does not replace them. */
    checked_at: Millis;
  };
  /** Increases with every write that changes what page loads get. */
  published_versions: {
    account_id: string;
    version: number;
  };
  /** How many profiles an account has, up to an ID. */
  profile_counts: {
    account_id: string;
    counted_to: string;
    count: number;
    /** When the first of them was counted. */
    started_at: Millis;
    /** Increases with every deletion, so that a count that was read before it is not stored. */
    deletions: number;
  };
  /** How many profiles are in a Segment, without test users. */
  segment_counts: {
    account_id: string;
    segment_id: string;
    /** Of the filters that were counted: another one means that they have changed since. */
    fingerprint: string;
    count: number;
    estimate: number;
    is_complete: boolean;
    counted_at: Millis;
    /** How long counting all Segments of the account took. */
    took_ms: Millis;
  };
  /** The Segments of an account are being counted, or were when the process died. */
  segment_count_runs: {
    account_id: string;
    /** Of the process that counts. */
    claim: string;
    /** When that process was seen last. */
    claimed_at: Millis;
    /** From 0 to 1. */
    share: number;
  };
  /** Goals that Experiences and experiments share. */
  goals: {
    account_id: string;
    id: string;
    created_at: Nullable<Millis>;
    updated_at: Millis;
    name: string;
    description: Nullable<string>;
    definition: Json<GoalRule>;
    archived_at: Nullable<Millis>;
  };
  /** Reports of Analytics that administrators have saved. */
  reports: {
    account_id: string;
    id: string;
    created_at: Nullable<Millis>;
    updated_at: Millis;
    name: string;
    description: Nullable<string>;
    kind: ReportKind;
    params: Json<Record<string, unknown>>;
  };
  /**
   * How many people met a goal of an Experience, by the day on which they first saw it, without test users; with an empty `goal_id`, how
   * many saw it first on that day.
   */
  goal_counts: {
    account_id: string;
    experience_id: string;
    goal_id: string;
    day: number;
    people: number;
    /** The sum of the number of their events, if the goal sums one. */
    value: number;
  };
  /** The last count of the goals of an Experience, and the one that goes on now. */
  goal_count_runs: {
    account_id: string;
    experience_id: string;
    /** Of the goals that were counted: another one means that they have changed since. Null until the first count is done. */
    fingerprint: Nullable<string>;
    counted_at: Nullable<Millis>;
    took_ms: Nullable<Millis>;
    /** Of the process that counts; null if none does. */
    claim: Nullable<string>;
    /** When that process was seen last. */
    claimed_at: Millis;
    /** From 0 to 1. */
    share: number;
  };
  /** How often pages did something on one day: what they created, and what was ignored. */
  page_counts: {
    account_id: string;
    day: number;
    what: string;
    count: number;
  };
  /** How often pages of a path were loaded on one day. Nothing in it identifies a user. */
  visited_paths: {
    account_id: string;
    day: number;
    host: string;
    path: string;
    count: number;
    last_seen_at: Millis;
  };
  /** Permissions to pick an element, or to try a draft, on one page. Deleted a day after they expire. */
  picks: {
    account_id: string;
    id: string;
    /** Who made it, and to whom alone it is shown. */
    admin_id: string;
    purpose: PickPurpose;
    /** The Experience, or the theme. */
    experience_id: string;
    step_id: Nullable<string>;
    /** The theme whose draft is tried on the Experience. */
    theme_id: Nullable<string>;
    /** The user whose texts a draft is tried with. */
    profile_id: Nullable<string>;
    /** The only host whose pages may open and use it. */
    host: string;
    href: string;
    /** The key, the code and the token are stored as SHA-256, so nobody can open a pick with what the database has. */
    key_hash: string;
    code_hash: string;
    token_hash: Nullable<string>;
    /** Ten minutes after it was made, or an hour after it was opened. */
    expires_at: Millis;
    opened_at: Nullable<Millis>;
    page: ColumnType<{ href: string; title: string | null } | null, string | null | undefined, string | null>;
    result: ColumnType<PickResult | PageLooks | null, string | null | undefined, string | null>;
    result_at: Nullable<Millis>;
    ended_at: Nullable<Millis>;
  };
  /** Who has the editor of an Experience open. */
  open_editors: {
    account_id: string;
    experience_id: string;
    admin_id: string;
    seen_at: Millis;
  };
  /** Sketches of the pages on which elements of steps were picked. Only the editor shows them. */
  step_sketches: {
    account_id: string;
    experience_id: string;
    step_id: string;
    updated_at: Millis;
    elements: Json<Record<string, string>[]>;
    sketch: Json<PageSketch>;
  };
  /** What is known of the script in the pages of an account beyond its Urls. */
  account_installations: {
    account_id: string;
    /** Until this time, `installation_entries` are written. */
    watched_until: Generated<Millis>;
    /** A host of the local machine has no Url until a domain is added. This is the last one on which a user was identified. */
    local_host: Nullable<string>;
    local_first_seen_at: Nullable<Millis>;
    local_last_seen_at: Nullable<Millis>;
  };
  /** What pages did while an administrator watched them install the script. Deleted after an hour. The ID contains the time. */
  installation_entries: {
    account_id: string;
    id: string;
    kind: InstallationEntryKind;
    host: Nullable<string>;
    /** The path of the page, without the query and the hash. */
    path: Nullable<string>;
    profile_id: Nullable<string>;
    /** The uid as the page sent it, if the page load was rejected. */
    uid: Nullable<string>;
    user_agent: string;
    /** The name of the event. */
    name: Nullable<string>;
    /** The names of the values that the page sent. */
    fields: Json<string[]>;
    outcome: InstallationOutcome;
    messages: Json<string[]>;
  };
  /** Experiments: drafts, those in progress and those over. */
  experiments: {
    account_id: string;
    id: string;
    created_at: Nullable<Millis>;
    updated_at: Millis;
    name: string;
    description: Nullable<string>;
    variants: Json<Variant[]>;
    segment_ids: Json<string[]>;
    segments_op: GroupOp;
    goal_ids: Json<string[]>;
    guardrail_goal_ids: Json<string[]>;
    window_days: number;
    smallest_change: number;
    started_at: Nullable<Millis>;
    ended_at: Nullable<Millis>;
    winner_variant_id: Nullable<string>;
    /** The shares from each time on, in the order of the variants. */
    share_changes: Json<ShareChange[]>;
    /** What publishing the winner has changed, so that it can be undone. */
    undo: NullableJson<PublishedBefore[]>;
  };
  /** Who became a part of an experiment, once for each. The arm stays, whatever becomes of the shares. */
  exposures: {
    account_id: string;
    profile_id: string;
    experiment_id: string;
    variant_id: string;
    exposed_at: Millis;
    /** When the user first saw the Experience of another arm, such as by a Delivery. */
    contaminated_at: Nullable<Millis>;
    /** The file of the export for warehouses that has the row; null while none has it. */
    exported_in: Nullable<number>;
  };
  /** Limits of how many automatic Experiences a user sees. */
  limit_groups: {
    account_id: string;
    id: string;
    created_at: Nullable<Millis>;
    updated_at: Millis;
    name: string;
    max_count: number;
    period_hours: number;
    experience_ids: Json<string[]>;
    description: Nullable<string>;
    /** The only kind that it limits, if any. `experience_ids` and `tag_ids` are empty then. */
    experience_kind: Nullable<ExclusiveKind>;
    tag_ids: ColumnType<string[], string | undefined, string>;
    /** How many steps, and seconds of them, one user may see of interruptions within the period; null for any number. */
    max_steps: Nullable<number>;
    max_seconds: Nullable<number>;
  };
  alert_groups: {
    account_id: string;
    id: string;
    created_at: Nullable<Millis>;
    updated_at: Millis;
    name: string;
    style: AlertStyle;
    interval_days: number;
    published_at: Nullable<Millis>;
    last_notified_at: Nullable<Millis>;
    /** The only kind that it watches, if any. `experience_ids` and `tag_ids` are empty then. */
    experience_kind: Nullable<ExclusiveKind>;
    experience_ids: Json<string[]>;
    tag_ids: Json<string[]>;
  };
  /** What a user answered in one showing of a survey. */
  responses: {
    account_id: string;
    id: string;
    created_at: Nullable<Millis>;
    updated_at: Millis;
    /** The tick of the last update, as for interactions. */
    updated_tick: Generated<number>;
    experience_id: string;
    profile_id: string;
    showing_from: Generated<number>;
    href: Nullable<string>;
    finished_at: Nullable<Millis>;
    /** The signed link, or the browser, that answered on the public page of the survey. */
    link_id: Nullable<string>;
    /** The first number that was given: of a scale, or of stars. */
    score: Nullable<number>;
    /** The language in which the survey was shown; empty for its own. Null if it was not stored. */
    language: Nullable<string>;
    /** The Segments of the user whose answers the survey counts, as a JSON list of objects with an `id`. */
    segment_ids: Nullable<string>;
    /** The file of the export for warehouses that has the row; null while none has it. */
    exported_in: Nullable<number>;
    /** The `updated_tick` with which it is in that file. */
    exported_tick: Nullable<number>;
  };
  /** The words by which people sort Responses. */
  response_tags: {
    account_id: string;
    response_id: string;
    name: string;
    experience_id: string;
    profile_id: string;
  };
  /** One answer for each step of a Response. */
  answers: {
    account_id: string;
    response_id: string;
    step_id: string;
    profile_id: string;
    experience_id: string;
    question_order: number;
    button_id: Nullable<string>;
    /** Also set for a number of a scale and an item of a list. */
    button_index: Nullable<number>;
    button_text: Nullable<string>;
    /** The answer if it is not a button: a number of a scale, or an item of a list. */
    value: Nullable<string>;
    input: Nullable<string>;
    /** The chosen options of a question, as JSON. */
    choices: Nullable<string>;
    /** The day of the Response. It is null in rows that the version before has written. */
    day: Nullable<number>;
  };
  /** Addresses to which the account sends what its users do. */
  webhooks: {
    account_id: string;
    id: string;
    created_at: Nullable<Millis>;
    updated_at: Millis;
    kind: WebhookKind;
    /** The address. */
    uid: string;
    name: string;
    topics: Json<Topic[]>;
    /** If empty, all of them. */
    experience_ids: Json<string[]>;
    /** Increases with each rotation. The secret is derived from it and never stored. */
    secret_version: number;
    /** The first secret, encrypted, if it was brought from another service. */
    own_secret: Nullable<string>;
    /** For some time after the rotation, the previous secret signs too. */
    secret_rotated_at: Nullable<Millis>;
    /** Further headers that repeat the ID and the signature. */
    id_header: Nullable<string>;
    signature_header: Nullable<string>;
    enabled: boolean;
    /** The time since when every request has failed; null after a success. */
    failing_since: Nullable<Millis>;
    last_item_at: Nullable<Millis>;
    last_item_state: Nullable<WebhookState>;
    last_item_error: Nullable<string>;
  };
  /** Events for webhooks, until they are fanned out to rows of the outbox. The ID contains the time. */
  webhook_events: {
    account_id: string;
    id: string;
    profile_id: string;
    kind: WebhookEventKind;
    payload: Json<WebhookPayload>;
    /** Identifies an event that a page may report again. */
    repeat_key: Nullable<string>;
    /** The IDs of the webhooks that had subscribed to it then, separated by spaces. */
    webhook_ids: string;
    at: Millis;
  };
  /** What is sent to webhooks: one row for each event and webhook. The ID is that of the event. */
  outbox: {
    account_id: string;
    webhook_id: string;
    /** The ID of the item, which is the same for every webhook that gets the event. */
    id: string;
    /** Null if it belongs to no user. */
    profile_id: Nullable<string>;
    kind: WebhookEventKind;
    payload: Json<WebhookPayload>;
    /** Identifies an event that a page may report again. */
    repeat_key: Nullable<string>;
    /** How many attempts have ended. */
    attempts: number;
    /** Null if it was sent or given up. `BLOCKED` if an earlier event of the same user must be sent first. */
    next_at: Nullable<Millis>;
    state: ItemState;
  };
  /** The outcome of each request for an item. */
  webhook_attempts: {
    account_id: string;
    id: string;
    webhook_id: string;
    item_id: string;
    profile_id: Nullable<string>;
    kind: WebhookEventKind;
    at: Millis;
    /** Null if there was no response. */
    status: Nullable<number>;
    ms: number;
    /** The beginning of the response. */
    answer: Nullable<string>;
    error: Nullable<string>;
  };
  deliveries: {
    account_id: string;
    id: string;
    created_at: Nullable<Millis>;
    updated_at: Millis;
    model_id: string;
    model_kind: ExclusiveKind;
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
    /** The showing that triggered it, by which a repeated report is recognized. */
    claimed_by: Nullable<string>;
    group_kind: Nullable<GroupKind | 'delivery'>;
    /** A removed Delivery stays, because its idempotency key stays used. */
    removed_at: Nullable<Millis>;
    /** Why the server removed the Delivery; null if a client did. */
    removed_reason: Nullable<RemovedReason>;
  };
  segments: {
    account_id: string;
    id: string;
    created_at: Nullable<Millis>;
    updated_at: Millis;
    name: string;
    items: Json<SegmentItem[]>;
    items_op: GroupOp;
  };
  /** The files of the export for warehouses. Rows name the number of theirs. */
  export_files: {
    account_id: string;
    number: number;
    table_name: string;
    name: string;
    /** The run that writes it. */
    claim: string;
    rows_count: Generated<number>;
    bytes: Generated<number>;
    started_at: Millis;
    /** When all of its rows had its number. Afterwards it appears in the folder or bucket. */
    sealed_at: Nullable<Millis>;
    /** When it was certain that the file is there. */
    written_at: Nullable<Millis>;
    /** When it was certain that the file will never be there. Its rows are exported with another number. */
    given_up_at: Nullable<Millis>;
  };
  /** Proofs of deletion. The ID contains the time, and the hash proves whose data it was. */
  deletions: {
    account_id: string;
    id: string;
    hash: string;
    /** Of a profile: a hash of its ID. Null for Companies, and for profiles that an earlier version forgot. */
    profile_hash: Generated<string | null>;
    /** The file of the export for warehouses that has the row; null while none has it. */
    exported_in: Nullable<number>;
  };
  /** Administrators edit the draft. Users see a version. */
  experiences: {
    account_id: string;
    id: string;
    created_at: Nullable<Millis>;
    updated_at: Millis;
    kind: ExperienceKind;
    draft: Json<Document>;
    /** The capture that shows the current look, by ID of the model. */
    captures: Json<Record<string, string>>;
    version_id: Nullable<string>;
    published_at: Nullable<Millis>;
    /** The version that replaces the current one, and when. */
    next_version_id: Nullable<string>;
    next_published_at: Nullable<Millis>;
    published_until: Nullable<Millis>;
    archived_at: Nullable<Millis>;
    /** The version that users saw before the Experience was unpublished, and when that was. They stay when it is published again. */
    paused_version_id: Nullable<string>;
    paused_at: Nullable<Millis>;
    /** What the address of the public page ends with. A survey gets it when it is first published with a public page, and keeps it. */
    public_key: Nullable<string>;
    /** The name of the draft in lower case, for lists. */
    name_key: string;
    /** The order of priority, which takes effect without publishing: the position of the draft, and the key among equals. */
    position: number;
    sort_key: string;
  };
  themes: {
    account_id: string;
    id: string;
    created_at: Nullable<Millis>;
    updated_at: Millis;
    /** The name of the draft. */
    name: string;
    /** Whether Experiences without a theme have this one. */
    is_default: boolean;
    draft: Json<ThemeDocument>;
    version_id: Nullable<string>;
  };
  /** What the draft of an Experience names: Segments, Environments, Tags and its theme. Lists are filtered by it. */
  experience_uses: {
    account_id: string;
    used_id: string;
    experience_id: string;
  };
  /** The content of an Experience, or of a theme, that was published. It never changes. */
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
    /** Hashes of the source texts, by which outdated translations are found. */
    sources: Json<Texts>;
  };
  tags: {
    account_id: string;
    id: string;
    created_at: Nullable<Millis>;
    updated_at: Millis;
    uid: string;
    name: string;
    description: Nullable<string>;
    disabled_at: Nullable<Millis>;
    /** When it was last added to an Experience or removed from one. */
    last_seen_at: Nullable<Millis>;
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
    /** What was done to the model. The kind says how it happened. */
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
  pictures: {
    account_id: string;
    id: string;
    updated_at: Millis;
    /** A hash of the content of all its files. */
    hash: string;
    name: string;
    type: PictureType;
    /** In pixels of the page. */
    width: number;
    height: number;
    size: number;
    /** The bytes of the file with twice as many pixels, if there is one. */
    size_2x: Nullable<number>;
    /** Since when nothing refers to it. */
    unused_at: Nullable<Millis>;
  };
  picture_pieces: {
    account_id: string;
    hash: string;
    scale: number;
    position: number;
    bytes: Buffer;
  };
  /** Requests with an `Idempotency-Key`, for a day. */
  idempotency_keys: {
    account_id: string;
    secret_id: string;
    /** Of the key, keyed with the secret of the request, so that nobody can guess what was sent. */
    key_hash: string;
    /** Of the path and the parameters, in the same way. */
    request_hash: string;
    at: Millis;
    /** Null only inside the transaction that creates the record. */
    status: Nullable<number>;
    /** Null when the record was of a profile that is forgotten. */
    record_id: Nullable<string>;
  };
  imports: {
    account_id: string;
    id: string;
    updated_at: Millis;
    /** The administrator who created it, or started it last. */
    admin_id: Nullable<string>;
    name: string;
    kind: ImportKind;
    model_kind: ImportModel;
    tag_import_id: Nullable<string>;
    /** What it adds to the tags. It is fixed when the import starts. */
    tag: Nullable<string>;
    on_model_missing: 'create' | 'ignore';
    properties: Json<ImportMapping[]>;
    filters: Json<Filter[]>;
    filters_op: 'and' | 'or';
    segment_ids: Json<string[]>;
    segments_op: 'and' | 'or';
    excluded_segment_ids: Json<string[]>;
    import_at: Nullable<Millis>;
    dry_run: boolean;
    /** The file, which `import_pieces` has. */
    file_id: Nullable<string>;
    /** Counts how often rows of forgotten users were removed from the file. */
    file_version: number;
    head_columns: ColumnType<string[] | null, string | null | undefined, string | null>;
    delimiter: Nullable<CsvDelimiter>;
    data_size: Nullable<number>;
    rows_count: Nullable<number>;
    /** The next record: the position of its piece, and its index in the piece. */
    piece: number;
    record: number;
    /** Imports by filters: the last ID that is done, and the last one of the whole import. */
    after_id: string;
    last_id: Nullable<string>;
    last_row: number;
    created_count: number;
    updated_count: number;
    deleted_count: number;
    ignored_count: number;
    failed_count: number;
    state: Nullable<ImportState>;
    is_dry_run: boolean;
    error: Nullable<string>;
    /** When it last began, and for how long it ran. */
    ran_at: Nullable<Millis>;
    elapsed_ms: Nullable<number>;
    /** How often it failed since the last chunk that was stored. */
    tries: number;
    /** Of the worker that runs it, and when that was seen last. */
    claim: Nullable<string>;
    claimed_at: Nullable<Millis>;
  };
  /** The files of imports, in pieces of whole records. */
  import_pieces: {
    account_id: string;
    file_id: string;
    position: number;
    /** The number of its first record in the file. The head is record 1. */
    first_record: number;
    bytes: Buffer;
  };
  /** The rows of a file that failed, as JSON. */
  import_failures: {
    account_id: string;
    import_id: string;
    record: number;
    cells: string;
    reason: string;
  };
  /** The imports of all accounts that are to run. */
  import_queue: {
    account_id: string;
    import_id: string;
    due_at: Millis;
  };
  /** The records that came with sample data. One row stands for all of it, with the type `sample_data` and no ID. */
  sample_records: {
    account_id: string;
    type: SampleType;
    id: string;
    /** When it was loaded. */
    at: Millis;
  };
  /** What moves here from another service: one for each account. Its secret there is not stored. */
  moves: {
    account_id: string;
    updated_at: Millis;
    /** Who has started it. */
    admin_id: string;
    /** The address of the other service. */
    source: string;
    source_account_id: string;
    started_at: Millis;
    /** When the last run was complete. */
    finished_at: Nullable<Millis>;
    /** Until then, webhooks that were imported send nothing. */
    released_at: Nullable<Millis>;
    /** The process that works on it, and when it was seen last. */
    claim: Nullable<string>;
    claimed_at: Nullable<Millis>;
    /** Why the last run has stopped. */
    error: Nullable<string>;
    progress: Json<MoveProgress>;
  };
  /** What could not be moved as it is, and why. */
  move_problems: {
    account_id: string;
    stage: MoveStage;
    record_id: string;
    position: number;
    message: string;
  };
  /** How many users an Experience had in another service beyond the Interactions that came from there. */
  imported_totals: Omit<Schema['experience_counts'], 'stale'>;
  /** Steps that came without the element that they belong to. */
  unplaced_steps: {
    account_id: string;
    experience_id: string;
    step_id: string;
  };
  /** What the last import of an Experience has read, and what it has written. */
  moved_experiences: {
    account_id: string;
    experience_id: string;
    source_hash: string;
    content: Json<Content>;
  };
  /** Drafts that wait until a person approves them. */
  proposals: {
    account_id: string;
    id: string;
    updated_at: Millis;
    state: ProposalState;
    kind: ExperienceKind;
    /** The Experience that it changes, or that it became when it was approved. */
    experience_id: Nullable<string>;
    is_new: boolean;
    /** The `updated_at` of the draft that it is based on. */
    base_updated_at: Nullable<Millis>;
    document: Json<Document>;
    note: Nullable<string>;
    secret_id: Nullable<string>;
    /** For whom it was made. */
    admin_id: string;
    decided_at: Nullable<Millis>;
    decided_by: Nullable<string>;
    /** Why it was rejected. */
    reason: Nullable<string>;
  };
  /** The file that a record was applied from last, and what it was then. */
  managed_records: {
    account_id: string;
    record_id: string;
    /** The folder and the name of the file: `tours/welcome`. */
    file: string;
    source: string | null;
    version: string;
    /** The IDs of the parts by their keys. */
    parts: Json<Record<string, string>>;
    applied_at: Millis;
  };
  /** The `updated_at` of what an import has written, by the stage that brings it. */
  moved_settings: {
    account_id: string;
    stage: MoveStage;
    record_id: string;
    updated_at: Millis;
  };
  /** Anonymous profiles that became part of the profile of a user, for as long as pages may report with their IDs. */
  merged_profiles: {
    account_id: string;
    /** The ID of the anonymous profile. */
    id: string;
    profile_id: string;
    at: Millis;
    /** The file of the export for warehouses that has the row; null while none has it. */
    exported_in: Nullable<number>;
  };
  /** Where the pictures of moved Experiences are here. */
  moved_pictures: {
    account_id: string;
    address_hash: string;
    path: string;
  };
}

export type Db = Kysely<Schema>;

/** Whether the rows of a table belong to accounts, and queries must name the account, or are global. */
export const tables: Record<Exclude<keyof Schema, 'migrations'>, 'global' | 'tenant'> = {
  accounts: 'global',
  installation: 'global',
  certificates: 'global',
  acme_accounts: 'global',
  acme_challenges: 'global',
  people: 'global',
  admins: 'global',
  secrets: 'global',
  sessions: 'global',
  links: 'global',
  audit_entries: 'tenant',
  account_clocks: 'tenant',
  url_groups: 'tenant',
  urls: 'tenant',
  properties: 'tenant',
  companies: 'tenant',
  profiles: 'tenant',
  merged_profiles: 'tenant',
  events: 'tenant',
  profile_events: 'tenant',
  event_counts: 'tenant',
  interactions: 'tenant',
  responses: 'tenant',
  response_tags: 'tenant',
  answers: 'tenant',
  activities: 'tenant',
  activity_counts: 'tenant',
  version_counts: 'tenant',
  step_times: 'tenant',
  answer_counts: 'tenant',
  score_counts: 'tenant',
  experience_counts: 'tenant',
  response_counts: 'tenant',
  interruption_days: 'tenant',
  interruption_counts: 'tenant',
  findings: 'tenant',
  failing_steps: 'tenant',
  published_versions: 'tenant',
  experiments: 'tenant',
  exposures: 'tenant',
  limit_groups: 'tenant',
  alert_groups: 'tenant',
  page_counts: 'tenant',
  profile_counts: 'tenant',
  segment_counts: 'tenant',
  segment_count_runs: 'tenant',
  goals: 'tenant',
  reports: 'tenant',
  goal_counts: 'tenant',
  goal_count_runs: 'tenant',
  visited_paths: 'tenant',
  picks: 'tenant',
  open_editors: 'tenant',
  step_sketches: 'tenant',
  account_installations: 'tenant',
  installation_entries: 'tenant',
  deliveries: 'tenant',
  webhooks: 'tenant',
  webhook_events: 'tenant',
  outbox: 'tenant',
  webhook_attempts: 'tenant',
  segments: 'tenant',
  deletions: 'tenant',
  export_files: 'tenant',
  experience_uses: 'tenant',
  experiences: 'tenant',
  themes: 'tenant',
  versions: 'tenant',
  languages: 'tenant',
  translations: 'tenant',
  tags: 'tenant',
  changes: 'tenant',
  change_properties: 'tenant',
  captures: 'tenant',
  pictures: 'tenant',
  picture_pieces: 'tenant',
  idempotency_keys: 'tenant',
  imports: 'tenant',
  import_pieces: 'tenant',
  import_failures: 'tenant',
  import_queue: 'global',
  sample_records: 'tenant',
  moves: 'tenant',
  move_problems: 'tenant',
  imported_totals: 'tenant',
  unplaced_steps: 'tenant',
  moved_experiences: 'tenant',
  moved_settings: 'tenant',
  moved_pictures: 'tenant',
  proposals: 'tenant',
  managed_records: 'tenant',
};
