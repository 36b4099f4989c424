CREATE TABLE account_clocks (
  account_id text not null primary key,
  tick integer not null
);

CREATE TABLE account_installations (
  account_id text primary key,
  watched_until integer not null default 0,
  local_host text,
  local_first_seen_at integer,
  local_last_seen_at integer
);

CREATE TABLE accounts (
  id text primary key,
  name text not null,
  token text not null unique,
  updated_at integer not null
, hash_key text, allow_scripts boolean not null default false, delivery_ids_limit integer not null default 3, visit_key text, require_uid_hash boolean not null default false, uid_secret text, trust_pages boolean not null default false, who_may_publish text not null default 'editors', record_paths boolean not null default true, test_emails jsontext not null default '[]', test_emails_changed_at integer, test_emails_marked_at integer, recount_at integer, time_zone text not null default 'UTC', time_zone_changed_at integer, allow_globals boolean not null default false, allow_percent boolean not null default false, anonymous_users boolean not null default false, anonymous_days integer not null default 90, holdout_percent double precision not null default 0, holdout_until integer, holdout_from integer, flow_from integer not null default 0, interruptions_from integer not null default 0);

CREATE INDEX accounts_to_mark on accounts (id) where test_emails_changed_at is not null;

CREATE TABLE acme_accounts (directory text primary key, private_key text not null);

CREATE TABLE acme_challenges (
  token text primary key,
  key_authorization text not null,
  created_at integer not null
);

CREATE TABLE "activities" (
  account_id text not null,
  profile_id text not null,
  experience_id text not null,
  what text not null,
  part_id text not null,
  day integer not null,
  previous_day integer not null default -1,
  language text not null default '',
  device text not null default '',
  url_group_id text not null default '', variant text not null default '', at integer, seconds integer, version_id text not null default '', exported_in integer,
  primary key (account_id, profile_id, experience_id, what, part_id, day),
  foreign key (account_id, profile_id) references profiles (account_id, id)
) without rowid;

CREATE TABLE activity_counts (
  account_id text not null,
  experience_id text not null,
  day integer not null,
  what text not null,
  part_id text not null,
  previous_day integer not null,
  language text not null,
  device text not null,
  url_group_id text not null,
  variant text not null,
  count integer not null,
  primary key (account_id, experience_id, day, what, part_id, previous_day, language, device, url_group_id, variant)
) without rowid;

CREATE TABLE "admins" (
  id text primary key,
  account_id text not null references accounts (id),
  person_id text not null references people (id),
  role text not null,
  updated_at integer not null,
  removed_at integer
, preferences jsontext, home_left_at integer, home_left_before integer);

CREATE INDEX admins_by_account on admins (account_id);

CREATE UNIQUE INDEX admins_by_person on admins (person_id, account_id);

CREATE TABLE alert_groups (
  account_id text not null,
  id text not null,
  created_at integer,
  updated_at integer not null,
  name text not null,
  style text not null,
  interval_days integer not null,
  published_at integer,
  last_notified_at integer,
  experience_kind text,
  experience_ids jsontext not null,
  tag_ids jsontext not null,
  primary key (account_id, id)
);

CREATE TABLE answer_counts (
  account_id text not null,
  experience_id text not null,
  day integer not null,
  step_id text not null,
  button_id text not null,
  value text not null,
  previous_day integer not null,
  count integer not null,
  primary key (account_id, experience_id, day, step_id, button_id, value, previous_day)
) without rowid;

CREATE TABLE answers (
  account_id text not null,
  response_id text not null,
  step_id text not null,
  profile_id text not null,
  experience_id text not null,
  question_order integer not null,
  button_id text,
  button_index integer,
  button_text text,
  value text,
  input text, day integer, choices text,
  primary key (account_id, response_id, step_id),
  foreign key (account_id, profile_id) references profiles (account_id, id)
);

CREATE INDEX answers_by_experience on answers (account_id, experience_id, response_id, step_id);

CREATE INDEX answers_by_experience_and_profile on answers (account_id, experience_id, profile_id);

CREATE INDEX answers_by_profile on answers (account_id, profile_id, experience_id);

CREATE TABLE audit_entries (
  account_id text not null references accounts (id),
  id text not null,
  admin_id text,
  secret_id text,
  action text not null,
  target_type text,
  target_id text,
  details jsontext not null,
  network text,
  primary key (account_id, id)
);

CREATE TABLE captures (
  account_id text not null,
  id text not null,
  experience_id text not null,
  model_id text not null,
  look jsontext not null,
  primary key (account_id, id)
);

CREATE TABLE certificates (
  directory text not null,
  domains text not null,
  chain text,
  private_key text,
  claim text,
  claimed_at integer,
  failures integer not null default 0,
  error text,
  retry_at integer,
  primary key (directory, domains)
);

CREATE TABLE change_properties (
  account_id text not null,
  property text not null,
  change_id text not null,
  experience_id text not null,
  primary key (account_id, property, change_id)
) without rowid;

CREATE INDEX change_properties_by_experience on change_properties (account_id, experience_id, property, change_id);

CREATE TABLE changes (
  account_id text not null,
  id text not null,
  write_id text not null,
  experience_id text not null,
  model_id text not null,
  model_type text not null,
  kind text not null,
  op text not null,
  path text not null,
  object jsontext not null,
  options jsontext not null,
  admin_id text not null,
  primary key (account_id, id)
);

CREATE INDEX changes_by_experience on changes (account_id, experience_id, id);

CREATE INDEX changes_of_others on changes (account_id, id) where kind = 'related';

CREATE TABLE companies (
  account_id text not null,
  id text not null,
  updated_at integer not null,
  uid text not null,
  custom jsontext not null, created_at integer,
  primary key (account_id, id),
  unique (account_id, uid)
);

CREATE TABLE deletions (
  account_id text not null,
  id text not null,
  hash text not null, profile_hash text, exported_in integer,
  primary key (account_id, id)
);

CREATE INDEX deletions_by_hash on deletions (account_id, hash);

CREATE TABLE deliveries (
  account_id text not null,
  id text not null,
  updated_at integer not null,
  model_id text not null,
  model_kind text not null,
  profile_id text not null,
  idempotency_key text,
  options jsontext,
  from_at integer,
  until_at integer,
  use_segmentation boolean not null,
  once boolean not null,
  skip_triggers boolean not null,
  skip_url_match boolean not null,
  at integer,
  at_href text,
  interaction_id text,
  group_kind text,
  removed_at integer, claimed_by text, removed_reason text, created_at integer,
  primary key (account_id, id),
  unique (account_id, profile_id, idempotency_key),
  foreign key (account_id, profile_id) references profiles (account_id, id)
);

CREATE INDEX deliveries_by_id on deliveries (account_id, id) where removed_at is null;

CREATE INDEX deliveries_by_model on deliveries (account_id, model_id, id) where removed_at is null;

CREATE INDEX deliveries_pending on deliveries (account_id, model_id, id) where removed_at is null and at is null;

CREATE INDEX deliveries_removed on deliveries (account_id, model_id, id) where removed_reason is not null;

CREATE TABLE event_counts (
  account_id text not null,
  name text not null,
  quarter integer not null,
  count integer not null,
  primary key (account_id, name, quarter)
) without rowid;

CREATE TABLE events (
  account_id text not null,
  id text not null,
  profile_id text not null,
  name text not null,
  custom jsontext not null, idempotency_key text, exported_in integer,
  primary key (account_id, profile_id, id),
  foreign key (account_id, profile_id) references profiles (account_id, id)
) without rowid;

CREATE UNIQUE INDEX events_by_key on events (account_id, profile_id, idempotency_key) where idempotency_key is not null;

CREATE TABLE experience_counts (
  account_id text not null,
  experience_id text not null,
  started_count integer not null,
  completed_count integer not null,
  exited_count integer not null,
  displayed_count integer not null,
  last_started_at integer,
  last_completed_at integer,
  last_exited_at integer,
  last_displayed_at integer,
  stale integer not null default 0,
  primary key (account_id, experience_id)
);

CREATE TABLE experience_uses (
  account_id text not null,
  used_id text not null,
  experience_id text not null,
  primary key (account_id, used_id, experience_id)
) without rowid;

CREATE INDEX experience_uses_by_experience on experience_uses (account_id, experience_id);

CREATE TABLE experiences (
  account_id text not null,
  id text not null,
  updated_at integer not null,
  kind text not null,
  draft jsontext not null,
  captures jsontext not null,
  version_id text,
  published_at integer,
  next_version_id text,
  next_published_at integer,
  published_until integer,
  archived_at integer, paused_version_id text, paused_at integer, name_key text not null default '', position integer not null default 0, sort_key text not null default '', created_at integer, public_key text,
  primary key (account_id, id)
);

CREATE INDEX experiences_by_kind on experiences (account_id, kind, id);

CREATE INDEX experiences_by_kind_and_position on experiences (account_id, kind, position, sort_key, id);

CREATE INDEX experiences_by_name on experiences (account_id, name_key, id);

CREATE INDEX experiences_by_position on experiences (account_id, position, sort_key, id, kind, archived_at, version_id,
  published_at, next_version_id, next_published_at, published_until, paused_at, name_key);

CREATE INDEX experiences_by_update on experiences (account_id, updated_at, id);

CREATE TABLE experiments (
  account_id text not null,
  id text not null,
  created_at integer,
  updated_at integer not null,
  name text not null,
  description text,
  variants jsontext not null,
  segment_ids jsontext not null,
  segments_op text not null,
  goal_ids jsontext not null,
  guardrail_goal_ids jsontext not null,
  window_days integer not null,
  smallest_change double precision not null,
  started_at integer,
  ended_at integer,
  winner_variant_id text,
  share_changes jsontext not null,
  undo jsontext,
  primary key (account_id, id)
);

CREATE TABLE export_files (
  account_id text not null,
  number integer not null,
  table_name text not null,
  name text not null,
  claim text not null,
  rows_count integer not null default 0,
  bytes bigint not null default 0,
  started_at integer not null,
  sealed_at integer,
  written_at integer,
  given_up_at integer,
  primary key (account_id, number)
);

CREATE TABLE exposures (
  account_id text not null,
  profile_id text not null,
  experiment_id text not null,
  variant_id text not null,
  exposed_at integer not null,
  contaminated_at integer, exported_in integer,
  primary key (account_id, profile_id, experiment_id)
) without rowid;

CREATE INDEX exposures_by_experiment on exposures (account_id, experiment_id, exposed_at, profile_id);

CREATE TABLE failing_steps (
  account_id text not null,
  experience_id text not null,
  part_id text not null,
  is_failing boolean not null,
  since integer not null,
  users_count integer not null,
  total_users_count integer not null,
  path text not null,
  browser text not null,
  checked_at integer not null,
  primary key (account_id, experience_id, part_id)
);

CREATE TABLE findings (
  account_id text not null,
  experience_id text not null,
  day integer not null,
  part_id text not null,
  path text not null,
  finding text not null,
  profile_id text not null,
  at integer not null, first_at integer, browser text not null default 'other', is_known boolean not null default true,
  primary key (account_id, experience_id, day, part_id, path, finding, profile_id),
  foreign key (account_id, profile_id) references profiles (account_id, id)
) without rowid;

CREATE INDEX findings_by_profile on findings (account_id, profile_id);

CREATE TABLE goal_count_runs (
  account_id text not null,
  experience_id text not null,
  fingerprint text,
  counted_at integer,
  took_ms integer,
  claim text,
  claimed_at integer not null,
  share double precision not null,
  primary key (account_id, experience_id)
);

CREATE TABLE goal_counts (
  account_id text not null,
  experience_id text not null,
  goal_id text not null,
  day integer not null,
  people integer not null,
  value double precision not null,
  primary key (account_id, experience_id, goal_id, day)
) without rowid;

CREATE TABLE goals (
  account_id text not null,
  id text not null,
  created_at integer,
  updated_at integer not null,
  name text not null,
  description text,
  definition jsontext not null,
  archived_at integer,
  primary key (account_id, id)
);

CREATE TABLE idempotency_keys (
  account_id text not null,
  secret_id text not null,
  key_hash text not null,
  request_hash text not null,
  at integer not null,
  status integer,
  record_id text,
  primary key (account_id, secret_id, key_hash)
);

CREATE INDEX idempotency_keys_by_record on idempotency_keys (account_id, record_id);

CREATE INDEX idempotency_keys_by_time on idempotency_keys (account_id, at);

CREATE TABLE import_failures (
  account_id text not null,
  import_id text not null,
  record integer not null,
  cells text not null,
  reason text not null,
  primary key (account_id, import_id, record)
);

CREATE TABLE import_pieces (
  account_id text not null,
  file_id text not null,
  position integer not null,
  first_record integer not null,
  bytes blob not null,
  primary key (account_id, file_id, position)
);

CREATE TABLE import_queue (
  account_id text not null,
  import_id text not null,
  due_at integer not null,
  primary key (account_id, import_id)
);

CREATE TABLE imported_totals (
  account_id text not null,
  experience_id text not null,
  started_count bigint not null,
  completed_count bigint not null,
  exited_count bigint not null,
  displayed_count bigint not null,
  last_started_at integer,
  last_completed_at integer,
  last_exited_at integer,
  last_displayed_at integer,
  primary key (account_id, experience_id)
);

CREATE TABLE imports (
  account_id text not null,
  id text not null,
  updated_at integer not null,
  admin_id text,
  name text not null,
  kind text not null,
  model_kind text not null,
  tag_import_id text,
  tag text,
  on_model_missing text not null,
  properties jsontext not null,
  filters jsontext not null,
  filters_op text not null,
  segment_ids jsontext not null,
  segments_op text not null,
  excluded_segment_ids jsontext not null,
  import_at integer,
  dry_run boolean not null,
  file_id text,
  file_version integer not null,
  head_columns jsontext,
  delimiter text,
  data_size bigint,
  rows_count bigint,
  piece integer not null,
  record integer not null,
  after_id text not null,
  last_id text,
  last_row bigint not null,
  created_count bigint not null,
  updated_count bigint not null,
  deleted_count bigint not null,
  ignored_count bigint not null,
  failed_count bigint not null,
  state text,
  is_dry_run boolean not null,
  error text,
  ran_at integer,
  elapsed_ms bigint,
  tries integer not null,
  claim text,
  claimed_at integer,
  primary key (account_id, id)
);

CREATE TABLE installation (name text primary key, value text not null);

CREATE TABLE installation_entries (
  account_id text not null,
  id text not null,
  kind text not null,
  host text,
  path text,
  profile_id text,
  uid text,
  user_agent text not null,
  name text,
  fields jsontext not null,
  outcome text not null,
  messages jsontext not null,
  primary key (account_id, id)
);

CREATE TABLE interactions (
  account_id text not null,
  id text not null,
  updated_at integer not null,
  experience_id text not null,
  profile_id text not null,
  state text not null,
  group_id text,
  group_kind text,
  defer_count integer not null default 0,
  defer_until integer,
  goal_at integer,
  displayed_at integer,
  started_at integer,
  completed_at integer,
  exited_at integer, step_id text, showing_from integer not null default 0, showing_to integer not null default 0, displayed_to integer not null default 0, ended_by integer, updated_tick integer not null default 0, snoozed_at integer, created_at integer, items text, current_step_id text, current_step_at integer,
  primary key (account_id, id),
  unique (account_id, profile_id, experience_id),
  foreign key (account_id, profile_id) references profiles (account_id, id)
);

CREATE INDEX interactions_by_experience on interactions (account_id, experience_id, id);

CREATE INDEX interactions_by_experience_and_profile on interactions (account_id, experience_id, profile_id);

CREATE INDEX interactions_by_update on interactions (account_id, experience_id, updated_tick, id);

CREATE TABLE interruption_counts (
  account_id text not null,
  week integer not null,
  measure text not null,
  value integer not null,
  count integer not null,
  primary key (account_id, week, measure, value)
) without rowid;

CREATE TABLE interruption_days (
  account_id text not null,
  profile_id text not null,
  day integer not null,
  experience_id text not null,
  interruptions integer not null,
  steps integer not null,
  seconds integer not null,
  primary key (account_id, profile_id, day, experience_id)
) without rowid;

CREATE TABLE languages (
  account_id text not null,
  id text not null,
  updated_at integer not null,
  code text not null,
  primary key (account_id, id),
  unique (account_id, code)
);

CREATE TABLE limit_groups (
  account_id text not null,
  id text not null,
  updated_at integer not null,
  name text not null,
  max_count integer not null,
  period_hours double precision not null,
  experience_ids jsontext not null, description text, experience_kind text, tag_ids jsontext not null default '[]', created_at integer, max_steps integer, max_seconds integer,
  primary key (account_id, id)
);

CREATE TABLE links (
  id text primary key,
  hash text not null unique,
  kind text not null,
  person_id text references people (id),
  account_id text references accounts (id),
  role text,
  created_by text references admins (id),
  expires_at integer not null,
  used_at integer
, note text, secret_id text);

CREATE INDEX links_by_account on links (account_id);

CREATE TABLE managed_records (
  account_id text not null,
  record_id text not null,
  file text not null,
  source text,
  version text not null,
  parts jsontext not null,
  applied_at integer not null,
  primary key (account_id, record_id)
);

CREATE TABLE merged_profiles (
  account_id text not null,
  id text not null,
  profile_id text not null,
  at integer not null, exported_in integer,
  primary key (account_id, id),
  foreign key (account_id, profile_id) references profiles (account_id, id)
);

CREATE INDEX merged_profiles_by_profile on merged_profiles (account_id, profile_id);

CREATE TABLE migrations (name text primary key);

CREATE TABLE move_problems (
  account_id text not null,
  stage text not null,
  record_id text not null,
  position bigint not null,
  message text not null,
  primary key (account_id, stage, record_id, position)
);

CREATE TABLE moved_experiences (
  account_id text not null,
  experience_id text not null,
  source_hash text not null,
  content jsontext not null,
  primary key (account_id, experience_id)
);

CREATE TABLE moved_pictures (
  account_id text not null,
  address_hash text not null,
  path text not null,
  primary key (account_id, address_hash)
);

CREATE TABLE moved_settings (
  account_id text not null,
  stage text not null,
  record_id text not null,
  updated_at integer not null,
  primary key (account_id, stage, record_id)
);

CREATE TABLE moves (
  account_id text not null,
  updated_at integer not null,
  admin_id text not null,
  source text not null,
  source_account_id text not null,
  started_at integer not null,
  finished_at integer,
  released_at integer,
  claim text,
  claimed_at integer,
  error text,
  progress jsontext not null,
  primary key (account_id)
);

CREATE TABLE open_editors (
  account_id text not null,
  experience_id text not null,
  admin_id text not null,
  seen_at integer not null,
  primary key (account_id, experience_id, admin_id)
);

CREATE TABLE outbox (
  account_id text not null,
  webhook_id text not null,
  id text not null,
  profile_id text,
  kind text not null,
  payload jsontext not null,
  repeat_key text,
  attempts integer not null,
  next_at integer,
  state text not null,
  primary key (account_id, webhook_id, id)
);

CREATE INDEX outbox_by_profile on outbox (account_id, profile_id, webhook_id, id) where profile_id is not null;

CREATE INDEX outbox_due on outbox (account_id, webhook_id, next_at) where next_at is not null;

CREATE INDEX outbox_failed on outbox (account_id, webhook_id, id) where state = 'failed';

CREATE UNIQUE INDEX outbox_repeated on outbox (account_id, webhook_id, profile_id, repeat_key) where repeat_key is not null;

CREATE TABLE page_counts (
  account_id text not null,
  day integer not null,
  what text not null,
  count bigint not null,
  primary key (account_id, day, what)
) without rowid;

CREATE TABLE people (
  id text primary key,
  name text not null,
  email text not null,
  email_key text not null unique,
  password_hash text,
  updated_at integer not null
);

CREATE TABLE picks (
  account_id text not null,
  id text not null,
  admin_id text not null,
  purpose text not null,
  experience_id text not null,
  step_id text,
  profile_id text,
  host text not null,
  href text not null,
  key_hash text not null,
  code_hash text not null,
  token_hash text,
  expires_at integer not null,
  opened_at integer,
  page jsontext,
  result jsontext,
  result_at integer,
  ended_at integer, theme_id text,
  primary key (account_id, id)
);

CREATE INDEX picks_by_admin on picks (account_id, admin_id, id);

CREATE INDEX picks_by_code on picks (account_id, code_hash);

CREATE UNIQUE INDEX picks_by_key on picks (account_id, key_hash);

CREATE INDEX picks_by_profile on picks (account_id, profile_id);

CREATE TABLE picture_pieces (
  account_id text not null,
  hash text not null,
  scale integer not null,
  position integer not null,
  bytes blob not null,
  primary key (account_id, hash, scale, position)
);

CREATE TABLE pictures (
  account_id text not null,
  id text not null,
  updated_at integer not null,
  hash text not null,
  name text not null,
  type text not null,
  width integer not null,
  height integer not null,
  size integer not null,
  size_2x integer,
  unused_at integer,
  primary key (account_id, id)
);

CREATE UNIQUE INDEX pictures_by_hash on pictures (account_id, hash);

CREATE TABLE profile_counts (
  account_id text not null,
  counted_to text not null,
  count bigint not null,
  started_at integer not null,
  deletions bigint not null,
  primary key (account_id)
);

CREATE TABLE profile_events (
  account_id text not null,
  profile_id text not null,
  name text not null,
  count integer not null,
  first_at integer not null,
  last_at integer not null,
  primary key (account_id, profile_id, name),
  foreign key (account_id, profile_id) references profiles (account_id, id)
) without rowid;

CREATE INDEX profile_events_by_first on profile_events (account_id, name, first_at);

CREATE INDEX profile_events_by_name on profile_events (account_id, name, profile_id);

CREATE TABLE profiles (
  account_id text not null,
  id text not null,
  updated_at integer not null,
  uid text not null,
  email text,
  email_key text,
  company_id text,
  browser_x integer,
  browser_tz integer,
  browser_l text,
  browser_n text,
  browser_k text,
  percent double precision not null,
  last_seen_at integer,
  last_seen_session_count integer not null default 0,
  last_cleared_at integer,
  delivery_ids jsontext not null default '[]',
  custom jsontext not null, page_keys jsontext not null default '[]', test boolean, is_test boolean not null default false, custom_sources jsontext, created_at integer, pending_starts jsontext not null default '[]', wake_count integer not null default 0,
  primary key (account_id, id),
  unique (account_id, uid),
  foreign key (account_id, company_id) references companies (account_id, id)
);

CREATE INDEX profiles_by_company on profiles (account_id, company_id, id) where company_id is not null;

CREATE UNIQUE INDEX profiles_by_email on profiles (account_id, email_key) where email_key is not null;

CREATE INDEX profiles_disabled on profiles (account_id, id) where json_type(custom, '$."disabled"') = 'true';

CREATE INDEX profiles_test on profiles (account_id, id) where is_test;

CREATE TABLE properties (
  account_id text not null references accounts (id),
  id text not null,
  updated_at integer not null,
  name text not null,
  description text,
  kind text not null,
  prop text not null,
  integration text,
  last_seen_at integer,
  types jsontext not null, samples jsontext not null default '[]', unproven text, hidden boolean not null default false, created_at integer, event_facts jsontext, definition jsontext, published_at integer,
  primary key (account_id, id),
  unique (account_id, kind, prop)
);

CREATE TABLE proposals (
  account_id text not null,
  id text not null,
  updated_at integer not null,
  state text not null,
  kind text not null,
  experience_id text,
  is_new boolean not null,
  base_updated_at integer,
  document jsontext not null,
  note text,
  secret_id text,
  admin_id text not null,
  decided_at integer,
  decided_by text,
  reason text,
  primary key (account_id, id)
);

CREATE INDEX proposals_by_state on proposals (account_id, state, id);

CREATE TABLE "published_versions" (
  account_id text not null,
  version bigint not null,
  primary key (account_id)
);

CREATE TABLE reports (
  account_id text not null,
  id text not null,
  created_at integer,
  updated_at integer not null,
  name text not null,
  description text,
  kind text not null,
  params jsontext not null,
  primary key (account_id, id)
);

CREATE TABLE response_counts (
  account_id text not null,
  experience_id text not null,
  segment_id text not null,
  count integer not null,
  primary key (account_id, experience_id, segment_id)
) without rowid;

CREATE TABLE response_tags (
  account_id text not null,
  response_id text not null,
  name text not null,
  experience_id text not null,
  profile_id text not null,
  primary key (account_id, response_id, name)
) without rowid;

CREATE INDEX response_tags_by_name on response_tags (account_id, experience_id, name, response_id);

CREATE INDEX response_tags_by_profile on response_tags (account_id, profile_id);

CREATE TABLE responses (
  account_id text not null,
  id text not null,
  updated_at integer not null,
  experience_id text not null,
  profile_id text not null,
  showing_from integer not null default 0, updated_tick integer not null default 0, href text, finished_at integer, created_at integer, score integer, language text, segment_ids text, link_id text, exported_in integer, exported_tick integer,
  primary key (account_id, id),
  foreign key (account_id, profile_id) references profiles (account_id, id)
);

CREATE INDEX responses_by_experience on responses (account_id, experience_id, id, score, language, finished_at);

CREATE UNIQUE INDEX responses_by_profile on responses (account_id, profile_id, experience_id, showing_from);

CREATE INDEX responses_by_score on responses (account_id, experience_id, score, id);

CREATE INDEX responses_by_update on responses (account_id, experience_id, updated_tick, id);

CREATE TABLE sample_records (
  account_id text not null references accounts (id),
  type text not null,
  id text not null,
  at integer not null,
  primary key (account_id, type, id)
);

CREATE TABLE score_counts (
  account_id text not null,
  experience_id text not null,
  day integer not null,
  step_id text not null,
  value text not null,
  next_day integer not null,
  count integer not null,
  primary key (account_id, experience_id, day, step_id, value, next_day)
) without rowid;

CREATE TABLE "secrets" (
  id text primary key,
  account_id text not null references accounts (id),
  admin_id text not null references "admins" (id),
  name text not null,
  hash text not null unique,
  last_used_at integer,
  revoked_at integer,
  updated_at integer not null,
  scope text not null default 'all',
  expires_at integer,
  networks jsontext
, parent_id text, people boolean not null default false);

CREATE INDEX secrets_by_account on secrets (account_id);

CREATE TABLE segment_count_runs (
  account_id text not null,
  claim text not null,
  claimed_at integer not null,
  share double precision not null,
  primary key (account_id)
);

CREATE TABLE segment_counts (
  account_id text not null,
  segment_id text not null,
  fingerprint text not null,
  count bigint not null,
  estimate bigint not null,
  is_complete boolean not null,
  counted_at integer not null,
  took_ms integer not null,
  primary key (account_id, segment_id)
);

CREATE TABLE segments (
  account_id text not null,
  id text not null,
  updated_at integer not null,
  name text not null,
  items jsontext not null,
  items_op text not null, created_at integer,
  primary key (account_id, id)
);

CREATE TABLE sessions (
  id text primary key,
  hash text not null unique,
  person_id text not null references people (id),
  account_id text not null references accounts (id),
  last_used_at integer not null,
  confirmed_at integer,
  user_agent text not null,
  network text not null,
  ended_at integer
);

CREATE INDEX sessions_by_person on sessions (person_id);

CREATE TABLE step_sketches (
  account_id text not null,
  experience_id text not null,
  step_id text not null,
  updated_at integer not null,
  elements jsontext not null,
  sketch jsontext not null,
  primary key (account_id, experience_id, step_id)
);

CREATE TABLE step_times (
  account_id text not null,
  experience_id text not null,
  day integer not null,
  step_id text not null,
  seconds integer not null,
  count integer not null,
  primary key (account_id, experience_id, day, step_id, seconds)
) without rowid;

CREATE TABLE tags (
  account_id text not null,
  id text not null,
  updated_at integer not null,
  uid text not null,
  name text not null, description text, disabled_at integer, last_seen_at integer, created_at integer,
  primary key (account_id, id),
  unique (account_id, uid)
);

CREATE TABLE themes (
  account_id text not null,
  id text not null,
  updated_at integer not null,
  name text not null,
  is_default boolean not null,
  draft jsontext not null,
  version_id text, created_at integer,
  primary key (account_id, id)
);

CREATE TABLE translations (
  account_id text not null,
  experience_id text not null,
  language text not null,
  texts jsontext not null, sources jsontext not null default '{}',
  primary key (account_id, experience_id, language)
);

CREATE TABLE unplaced_steps (
  account_id text not null,
  experience_id text not null,
  step_id text not null,
  primary key (account_id, experience_id, step_id)
);

CREATE TABLE url_groups (
  account_id text not null references accounts (id),
  id text not null,
  updated_at integer not null,
  archived_at integer,
  name text not null,
  description text,
  short_name text,
  style_short_name_color text, created_at integer,
  primary key (account_id, id)
);

CREATE TABLE urls (
  account_id text not null references accounts (id),
  id text not null,
  updated_at integer not null,
  url_group_id text,
  host text not null,
  domain text not null,
  enabled text not null,
  installed_at integer,
  first_seen_at integer,
  last_seen_at integer,
  archived_at integer, created_at integer,
  primary key (account_id, id),
  unique (account_id, host),
  foreign key (account_id, url_group_id) references url_groups (account_id, id)
);

CREATE INDEX urls_by_domain on urls (account_id, domain, id);

CREATE INDEX urls_by_url_group on urls (account_id, url_group_id);

CREATE TABLE version_counts (
  account_id text not null,
  experience_id text not null,
  day integer not null,
  what text not null,
  part_id text not null,
  previous_day integer not null,
  version_id text not null,
  count integer not null,
  primary key (account_id, experience_id, day, what, part_id, previous_day, version_id)
) without rowid;

CREATE TABLE versions (
  account_id text not null,
  id text not null,
  experience_id text not null,
  change_id text not null,
  admin_id text not null,
  published_at integer not null,
  content jsontext not null,
  primary key (account_id, id)
);

CREATE INDEX versions_by_experience on versions (account_id, experience_id, id);

CREATE TABLE visited_paths (
  account_id text not null,
  day integer not null,
  host text not null,
  path text not null,
  count bigint not null,
  last_seen_at integer not null,
  primary key (account_id, day, host, path)
) without rowid;

CREATE TABLE webhook_attempts (
  account_id text not null,
  id text not null,
  webhook_id text not null,
  item_id text not null,
  profile_id text,
  kind text not null,
  at integer not null,
  status integer,
  ms integer not null,
  answer text,
  error text,
  primary key (account_id, id)
);

CREATE INDEX webhook_attempts_by_item on webhook_attempts (account_id, item_id, id);

CREATE INDEX webhook_attempts_by_profile on webhook_attempts (account_id, profile_id) where profile_id is not null;

CREATE INDEX webhook_attempts_by_webhook on webhook_attempts (account_id, webhook_id, id);

CREATE TABLE "webhook_events" (
  account_id text not null,
  id text not null,
  profile_id text not null,
  kind text not null,
  payload jsontext not null,
  repeat_key text,
  webhook_ids text not null,
  at integer not null,
  primary key (account_id, id)
);

CREATE INDEX webhook_events_by_profile on webhook_events (account_id, profile_id);

CREATE UNIQUE INDEX webhook_events_repeated on webhook_events (account_id, profile_id, repeat_key, webhook_ids) where repeat_key is not null;

CREATE TABLE webhooks (
  account_id text not null,
  id text not null,
  updated_at integer not null,
  kind text not null,
  uid text not null,
  name text not null,
  topics jsontext not null,
  experience_ids jsontext not null,
  secret_version integer not null,
  secret_rotated_at integer,
  enabled boolean not null,
  failing_since integer,
  last_item_at integer,
  last_item_state text,
  last_item_error text, created_at integer, own_secret text, id_header text, signature_header text,
  primary key (account_id, id)
);

CREATE UNIQUE INDEX webhooks_by_uid on webhooks (account_id, uid);
