table account_clocks
  account_id text collate "C" not null
  tick bigint not null
  constraint account_clocks_pkey PRIMARY KEY (account_id)
  CREATE UNIQUE INDEX account_clocks_pkey ON account_clocks USING btree (account_id)

table account_installations
  account_id text collate "C" not null
  watched_until bigint not null
  local_host text
  local_first_seen_at bigint
  local_last_seen_at bigint
  constraint account_installations_pkey PRIMARY KEY (account_id)
  CREATE UNIQUE INDEX account_installations_pkey ON account_installations USING btree (account_id)

table accounts
  id text collate "C" not null
  name text not null
  token text not null
  updated_at bigint not null
  hash_key text
  allow_scripts boolean not null
  delivery_ids_limit integer not null
  visit_key text
  require_uid_hash boolean not null
  uid_secret text
  trust_pages boolean not null
  who_may_publish text not null
  record_paths boolean not null
  test_emails jsonb not null
  test_emails_changed_at bigint
  test_emails_marked_at bigint
  recount_at bigint
  time_zone text not null
  time_zone_changed_at bigint
  allow_globals boolean not null
  allow_percent boolean not null
  anonymous_users boolean not null
  anonymous_days integer not null
  holdout_percent double precision not null
  holdout_until bigint
  holdout_from bigint
  flow_from integer not null
  interruptions_from integer not null
  constraint accounts_pkey PRIMARY KEY (id)
  constraint accounts_token_key UNIQUE (token)
  CREATE UNIQUE INDEX accounts_pkey ON accounts USING btree (id)
  CREATE INDEX accounts_to_mark ON accounts USING btree (id) WHERE (test_emails_changed_at IS NOT NULL)
  CREATE UNIQUE INDEX accounts_token_key ON accounts USING btree (token)

table acme_accounts
  directory text collate "C" not null
  private_key text not null
  constraint acme_accounts_pkey PRIMARY KEY (directory)
  CREATE UNIQUE INDEX acme_accounts_pkey ON acme_accounts USING btree (directory)

table acme_challenges
  token text collate "C" not null
  key_authorization text not null
  created_at bigint not null
  constraint acme_challenges_pkey PRIMARY KEY (token)
  CREATE UNIQUE INDEX acme_challenges_pkey ON acme_challenges USING btree (token)

table activities
  account_id text collate "C" not null
  experience_id text collate "C" not null
  day integer not null
  what text not null
  part_id text collate "C" not null
  profile_id text collate "C" not null
  previous_day integer not null
  language text collate "C" not null
  device text collate "C" not null
  url_group_id text collate "C" not null
  variant text not null
  at bigint
  seconds integer
  version_id text collate "C" not null
  exported_in integer
  constraint activities_account_id_profile_id_fkey FOREIGN KEY (account_id, profile_id) REFERENCES profiles(account_id, id)
  constraint activities_pkey PRIMARY KEY (account_id, profile_id, experience_id, what, part_id, day)
  CREATE UNIQUE INDEX activities_pkey ON activities USING btree (account_id, profile_id, experience_id, what, part_id, day)

table activity_counts
  account_id text collate "C" not null
  experience_id text collate "C" not null
  day integer not null
  what text not null
  part_id text collate "C" not null
  previous_day integer not null
  language text collate "C" not null
  device text collate "C" not null
  url_group_id text collate "C" not null
  variant text collate "C" not null
  count integer not null
  constraint activity_counts_pkey PRIMARY KEY (account_id, experience_id, day, what, part_id, previous_day, language, device, url_group_id, variant)
  CREATE UNIQUE INDEX activity_counts_pkey ON activity_counts USING btree (account_id, experience_id, day, what, part_id, previous_day, language, device, url_group_id, variant)

table admins
  id text collate "C" not null
  account_id text collate "C" not null
  role text not null
  updated_at bigint not null
  person_id text collate "C" not null
  removed_at bigint
  preferences jsonb
  home_left_at bigint
  home_left_before bigint
  constraint admins_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
  constraint admins_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id)
  constraint admins_pkey PRIMARY KEY (id)
  CREATE INDEX admins_by_account ON admins USING btree (account_id)
  CREATE UNIQUE INDEX admins_by_person ON admins USING btree (person_id, account_id)
  CREATE UNIQUE INDEX admins_pkey ON admins USING btree (id)

table alert_groups
  account_id text collate "C" not null
  id text collate "C" not null
  created_at bigint
  updated_at bigint not null
  name text not null
  style text not null
  interval_days integer not null
  published_at bigint
  last_notified_at bigint
  experience_kind text collate "C"
  experience_ids jsonb not null
  tag_ids jsonb not null
  constraint alert_groups_pkey PRIMARY KEY (account_id, id)
  CREATE UNIQUE INDEX alert_groups_pkey ON alert_groups USING btree (account_id, id)

table answer_counts
  account_id text collate "C" not null
  experience_id text collate "C" not null
  day integer not null
  step_id text collate "C" not null
  button_id text collate "C" not null
  value text not null
  previous_day integer not null
  count integer not null
  constraint answer_counts_pkey PRIMARY KEY (account_id, experience_id, day, step_id, button_id, value, previous_day)
  CREATE UNIQUE INDEX answer_counts_pkey ON answer_counts USING btree (account_id, experience_id, day, step_id, button_id, value, previous_day)

table answers
  account_id text collate "C" not null
  response_id text collate "C" not null
  step_id text collate "C" not null
  profile_id text collate "C" not null
  experience_id text collate "C" not null
  question_order integer not null
  button_id text collate "C"
  button_index integer
  button_text text
  value text
  input text
  day integer
  choices text
  constraint answers_account_id_profile_id_fkey FOREIGN KEY (account_id, profile_id) REFERENCES profiles(account_id, id)
  constraint answers_pkey PRIMARY KEY (account_id, response_id, step_id)
  CREATE INDEX answers_by_experience ON answers USING btree (account_id, experience_id, response_id, step_id)
  CREATE INDEX answers_by_experience_and_profile ON answers USING btree (account_id, experience_id, profile_id)
  CREATE INDEX answers_by_profile ON answers USING btree (account_id, profile_id, experience_id)
  CREATE UNIQUE INDEX answers_pkey ON answers USING btree (account_id, response_id, step_id)

table audit_entries
  account_id text collate "C" not null
  id text collate "C" not null
  admin_id text collate "C"
  secret_id text collate "C"
  action text not null
  target_type text
  target_id text collate "C"
  details jsonb not null
  network text
  constraint audit_entries_pkey PRIMARY KEY (account_id, id)
  CREATE UNIQUE INDEX audit_entries_pkey ON audit_entries USING btree (account_id, id)

table captures
  account_id text collate "C" not null
  id text collate "C" not null
  experience_id text collate "C" not null
  model_id text collate "C" not null
  look jsonb not null
  constraint captures_pkey PRIMARY KEY (account_id, id)
  CREATE UNIQUE INDEX captures_pkey ON captures USING btree (account_id, id)

table certificates
  directory text collate "C" not null
  domains text collate "C" not null
  chain text
  private_key text
  claim text collate "C"
  claimed_at bigint
  failures integer not null
  error text
  retry_at bigint
  constraint certificates_pkey PRIMARY KEY (directory, domains)
  CREATE UNIQUE INDEX certificates_pkey ON certificates USING btree (directory, domains)

table change_properties
  account_id text collate "C" not null
  property text collate "C" not null
  change_id text collate "C" not null
  experience_id text collate "C" not null
  constraint change_properties_pkey PRIMARY KEY (account_id, property, change_id)
  CREATE INDEX change_properties_by_experience ON change_properties USING btree (account_id, experience_id, property, change_id)
  CREATE UNIQUE INDEX change_properties_pkey ON change_properties USING btree (account_id, property, change_id)

table changes
  account_id text collate "C" not null
  id text collate "C" not null
  write_id text collate "C" not null
  experience_id text collate "C" not null
  model_id text collate "C" not null
  model_type text not null
  kind text not null
  op text not null
  path text not null
  object jsonb not null
  options jsonb not null
  admin_id text collate "C" not null
  constraint changes_pkey PRIMARY KEY (account_id, id)
  CREATE INDEX changes_by_experience ON changes USING btree (account_id, experience_id, id)
  CREATE INDEX changes_of_others ON changes USING btree (account_id, id) WHERE (kind = 'related'::text)
  CREATE UNIQUE INDEX changes_pkey ON changes USING btree (account_id, id)

table companies
  account_id text collate "C" not null
  id text collate "C" not null
  updated_at bigint not null
  uid text collate "C" not null
  custom jsonb not null
  created_at bigint
  constraint companies_account_id_uid_key UNIQUE (account_id, uid)
  constraint companies_pkey PRIMARY KEY (account_id, id)
  CREATE UNIQUE INDEX companies_account_id_uid_key ON companies USING btree (account_id, uid)
  CREATE INDEX companies_by_custom ON companies USING gin (custom jsonb_path_ops)
  CREATE UNIQUE INDEX companies_pkey ON companies USING btree (account_id, id)

table deletions
  account_id text collate "C" not null
  id text collate "C" not null
  hash text collate "C" not null
  profile_hash text collate "C"
  exported_in integer
  constraint deletions_pkey PRIMARY KEY (account_id, id)
  CREATE INDEX deletions_by_hash ON deletions USING btree (account_id, hash)
  CREATE UNIQUE INDEX deletions_pkey ON deletions USING btree (account_id, id)

table deliveries
  account_id text collate "C" not null
  id text collate "C" not null
  updated_at bigint not null
  model_id text collate "C" not null
  model_kind text not null
  profile_id text collate "C" not null
  idempotency_key text collate "C"
  options jsonb
  from_at bigint
  until_at bigint
  use_segmentation boolean not null
  once boolean not null
  skip_triggers boolean not null
  skip_url_match boolean not null
  at bigint
  at_href text
  interaction_id text collate "C"
  group_kind text
  removed_at bigint
  claimed_by text
  removed_reason text
  created_at bigint
  constraint deliveries_account_id_profile_id_fkey FOREIGN KEY (account_id, profile_id) REFERENCES profiles(account_id, id)
  constraint deliveries_account_id_profile_id_idempotency_key_key UNIQUE (account_id, profile_id, idempotency_key)
  constraint deliveries_pkey PRIMARY KEY (account_id, id)
  CREATE UNIQUE INDEX deliveries_account_id_profile_id_idempotency_key_key ON deliveries USING btree (account_id, profile_id, idempotency_key)
  CREATE INDEX deliveries_by_id ON deliveries USING btree (account_id, id) WHERE (removed_at IS NULL)
  CREATE INDEX deliveries_by_model ON deliveries USING btree (account_id, model_id, id) WHERE (removed_at IS NULL)
  CREATE INDEX deliveries_by_profile ON deliveries USING btree (account_id, profile_id, id) WHERE (removed_at IS NULL)
  CREATE INDEX deliveries_pending ON deliveries USING btree (account_id, model_id, id) WHERE ((removed_at IS NULL) AND (at IS NULL))
  CREATE UNIQUE INDEX deliveries_pkey ON deliveries USING btree (account_id, id)
  CREATE INDEX deliveries_removed ON deliveries USING btree (account_id, model_id, id) WHERE (removed_reason IS NOT NULL)

table event_counts
  account_id text collate "C" not null
  name text not null
  quarter integer not null
  count integer not null
  constraint event_counts_pkey PRIMARY KEY (account_id, name, quarter)
  CREATE UNIQUE INDEX event_counts_pkey ON event_counts USING btree (account_id, name, quarter)

table events
  account_id text collate "C" not null
  id text collate "C" not null
  profile_id text collate "C" not null
  name text collate "C" not null
  custom jsonb not null
  idempotency_key text collate "C"
  exported_in integer
  constraint events_pkey PRIMARY KEY (account_id, profile_id, id)
  CREATE UNIQUE INDEX events_by_key ON events USING btree (account_id, profile_id, idempotency_key) WHERE (idempotency_key IS NOT NULL)
  CREATE UNIQUE INDEX events_pkey ON events USING btree (account_id, profile_id, id)

table experience_counts
  account_id text collate "C" not null
  experience_id text collate "C" not null
  started_count integer not null
  completed_count integer not null
  exited_count integer not null
  displayed_count integer not null
  last_started_at bigint
  last_completed_at bigint
  last_exited_at bigint
  last_displayed_at bigint
  stale integer not null
  constraint experience_counts_pkey PRIMARY KEY (account_id, experience_id)
  CREATE UNIQUE INDEX experience_counts_pkey ON experience_counts USING btree (account_id, experience_id)

table experience_uses
  account_id text collate "C" not null
  used_id text collate "C" not null
  experience_id text collate "C" not null
  constraint experience_uses_pkey PRIMARY KEY (account_id, used_id, experience_id)
  CREATE INDEX experience_uses_by_experience ON experience_uses USING btree (account_id, experience_id)
  CREATE UNIQUE INDEX experience_uses_pkey ON experience_uses USING btree (account_id, used_id, experience_id)

table experiences
  account_id text collate "C" not null
  id text collate "C" not null
  updated_at bigint not null
  kind text not null
  draft jsonb not null
  captures jsonb not null
  version_id text collate "C"
  published_at bigint
  next_version_id text collate "C"
  next_published_at bigint
  published_until bigint
  archived_at bigint
  paused_version_id text collate "C"
  paused_at bigint
  name_key text collate "C" not null
  "position" integer not null
  sort_key text collate "C" not null
  created_at bigint
  public_key text
  constraint experiences_pkey PRIMARY KEY (account_id, id)
  CREATE INDEX experiences_by_kind ON experiences USING btree (account_id, kind, id)
  CREATE INDEX experiences_by_kind_and_position ON experiences USING btree (account_id, kind, "position", sort_key, id)
  CREATE INDEX experiences_by_name ON experiences USING btree (account_id, name_key, id)
  CREATE INDEX experiences_by_position ON experiences USING btree (account_id, "position", sort_key, id, kind, archived_at, version_id, published_at, next_version_id, next_published_at, published_until, paused_at, name_key)
  CREATE INDEX experiences_by_update ON experiences USING btree (account_id, updated_at, id)
  CREATE UNIQUE INDEX experiences_pkey ON experiences USING btree (account_id, id)

table experiments
  account_id text collate "C" not null
  id text collate "C" not null
  created_at bigint
  updated_at bigint not null
  name text not null
  description text
  variants jsonb not null
  segment_ids jsonb not null
  segments_op text not null
  goal_ids jsonb not null
  guardrail_goal_ids jsonb not null
  window_days integer not null
  smallest_change double precision not null
  started_at bigint
  ended_at bigint
  winner_variant_id text collate "C"
  share_changes jsonb not null
  undo jsonb
  constraint experiments_pkey PRIMARY KEY (account_id, id)
  CREATE UNIQUE INDEX experiments_pkey ON experiments USING btree (account_id, id)

table export_files
  account_id text collate "C" not null
  number integer not null
  table_name text collate "C" not null
  name text collate "C" not null
  claim text collate "C" not null
  rows_count integer not null
  bytes bigint not null
  started_at bigint not null
  sealed_at bigint
  written_at bigint
  given_up_at bigint
  constraint export_files_pkey PRIMARY KEY (account_id, number)
  CREATE UNIQUE INDEX export_files_pkey ON export_files USING btree (account_id, number)

table exposures
  account_id text collate "C" not null
  profile_id text collate "C" not null
  experiment_id text collate "C" not null
  variant_id text collate "C" not null
  exposed_at bigint not null
  contaminated_at bigint
  exported_in integer
  constraint exposures_pkey PRIMARY KEY (account_id, profile_id, experiment_id)
  CREATE INDEX exposures_by_experiment ON exposures USING btree (account_id, experiment_id, exposed_at, profile_id)
  CREATE UNIQUE INDEX exposures_pkey ON exposures USING btree (account_id, profile_id, experiment_id)

table failing_steps
  account_id text collate "C" not null
  experience_id text collate "C" not null
  part_id text collate "C" not null
  is_failing boolean not null
  since bigint not null
  users_count integer not null
  total_users_count integer not null
  path text not null
  browser text not null
  checked_at bigint not null
  constraint failing_steps_pkey PRIMARY KEY (account_id, experience_id, part_id)
  CREATE UNIQUE INDEX failing_steps_pkey ON failing_steps USING btree (account_id, experience_id, part_id)

table findings
  account_id text collate "C" not null
  experience_id text collate "C" not null
  day integer not null
  part_id text collate "C" not null
  path text collate "C" not null
  finding text not null
  profile_id text collate "C" not null
  at bigint not null
  first_at bigint
  browser text not null
  is_known boolean not null
  constraint findings_account_id_profile_id_fkey FOREIGN KEY (account_id, profile_id) REFERENCES profiles(account_id, id)
  constraint findings_pkey PRIMARY KEY (account_id, experience_id, day, part_id, path, finding, profile_id)
  CREATE INDEX findings_by_profile ON findings USING btree (account_id, profile_id)
  CREATE UNIQUE INDEX findings_pkey ON findings USING btree (account_id, experience_id, day, part_id, path, finding, profile_id)

table goal_count_runs
  account_id text collate "C" not null
  experience_id text collate "C" not null
  fingerprint text
  counted_at bigint
  took_ms integer
  claim text collate "C"
  claimed_at bigint not null
  share double precision not null
  constraint goal_count_runs_pkey PRIMARY KEY (account_id, experience_id)
  CREATE UNIQUE INDEX goal_count_runs_pkey ON goal_count_runs USING btree (account_id, experience_id)

table goal_counts
  account_id text collate "C" not null
  experience_id text collate "C" not null
  goal_id text collate "C" not null
  day integer not null
  people integer not null
  value double precision not null
  constraint goal_counts_pkey PRIMARY KEY (account_id, experience_id, goal_id, day)
  CREATE UNIQUE INDEX goal_counts_pkey ON goal_counts USING btree (account_id, experience_id, goal_id, day)

table goals
  account_id text collate "C" not null
  id text collate "C" not null
  created_at bigint
  updated_at bigint not null
  name text not null
  description text
  definition jsonb not null
  archived_at bigint
  constraint goals_pkey PRIMARY KEY (account_id, id)
  CREATE UNIQUE INDEX goals_pkey ON goals USING btree (account_id, id)

table idempotency_keys
  account_id text collate "C" not null
  secret_id text collate "C" not null
  key_hash text collate "C" not null
  request_hash text collate "C" not null
  at bigint not null
  status integer
  record_id text collate "C"
  constraint idempotency_keys_pkey PRIMARY KEY (account_id, secret_id, key_hash)
  CREATE INDEX idempotency_keys_by_record ON idempotency_keys USING btree (account_id, record_id)
  CREATE INDEX idempotency_keys_by_time ON idempotency_keys USING btree (account_id, at)
  CREATE UNIQUE INDEX idempotency_keys_pkey ON idempotency_keys USING btree (account_id, secret_id, key_hash)

table import_failures
  account_id text collate "C" not null
  import_id text collate "C" not null
  record integer not null
  cells text not null
  reason text not null
  constraint import_failures_pkey PRIMARY KEY (account_id, import_id, record)
  CREATE UNIQUE INDEX import_failures_pkey ON import_failures USING btree (account_id, import_id, record)

table import_pieces
  account_id text collate "C" not null
  file_id text collate "C" not null
  "position" integer not null
  first_record integer not null
  bytes bytea not null
  constraint import_pieces_pkey PRIMARY KEY (account_id, file_id, "position")
  CREATE UNIQUE INDEX import_pieces_pkey ON import_pieces USING btree (account_id, file_id, "position")

table import_queue
  account_id text collate "C" not null
  import_id text collate "C" not null
  due_at bigint not null
  constraint import_queue_pkey PRIMARY KEY (account_id, import_id)
  CREATE UNIQUE INDEX import_queue_pkey ON import_queue USING btree (account_id, import_id)

table imported_totals
  account_id text collate "C" not null
  experience_id text collate "C" not null
  started_count bigint not null
  completed_count bigint not null
  exited_count bigint not null
  displayed_count bigint not null
  last_started_at bigint
  last_completed_at bigint
  last_exited_at bigint
  last_displayed_at bigint
  constraint imported_totals_pkey PRIMARY KEY (account_id, experience_id)
  CREATE UNIQUE INDEX imported_totals_pkey ON imported_totals USING btree (account_id, experience_id)

table imports
  account_id text collate "C" not null
  id text collate "C" not null
  updated_at bigint not null
  admin_id text collate "C"
  name text not null
  kind text not null
  model_kind text not null
  tag_import_id text collate "C"
  tag text
  on_model_missing text not null
  properties jsonb not null
  filters jsonb not null
  filters_op text not null
  segment_ids jsonb not null
  segments_op text not null
  excluded_segment_ids jsonb not null
  import_at bigint
  dry_run boolean not null
  file_id text collate "C"
  file_version integer not null
  head_columns jsonb
  delimiter text
  data_size bigint
  rows_count bigint
  piece integer not null
  record integer not null
  after_id text collate "C" not null
  last_id text collate "C"
  last_row bigint not null
  created_count bigint not null
  updated_count bigint not null
  deleted_count bigint not null
  ignored_count bigint not null
  failed_count bigint not null
  state text
  is_dry_run boolean not null
  error text
  ran_at bigint
  elapsed_ms bigint
  tries integer not null
  claim text collate "C"
  claimed_at bigint
  constraint imports_pkey PRIMARY KEY (account_id, id)
  CREATE UNIQUE INDEX imports_pkey ON imports USING btree (account_id, id)

table installation
  name text collate "C" not null
  value text not null
  constraint installation_pkey PRIMARY KEY (name)
  CREATE UNIQUE INDEX installation_pkey ON installation USING btree (name)

table installation_entries
  account_id text collate "C" not null
  id text collate "C" not null
  kind text not null
  host text
  path text
  profile_id text collate "C"
  uid text collate "C"
  user_agent text not null
  name text
  fields jsonb not null
  outcome text not null
  messages jsonb not null
  constraint installation_entries_pkey PRIMARY KEY (account_id, id)
  CREATE UNIQUE INDEX installation_entries_pkey ON installation_entries USING btree (account_id, id)

table interactions
  account_id text collate "C" not null
  id text collate "C" not null
  updated_at bigint not null
  experience_id text collate "C" not null
  profile_id text collate "C" not null
  state text not null
  group_id text collate "C"
  group_kind text
  defer_count integer not null
  defer_until bigint
  goal_at bigint
  displayed_at bigint
  started_at bigint
  completed_at bigint
  exited_at bigint
  step_id text collate "C"
  showing_from bigint not null
  showing_to bigint not null
  displayed_to bigint not null
  ended_by bigint
  updated_tick bigint not null
  snoozed_at bigint
  created_at bigint
  items text
  current_step_id text collate "C"
  current_step_at bigint
  constraint interactions_account_id_profile_id_experience_id_key UNIQUE (account_id, profile_id, experience_id)
  constraint interactions_account_id_profile_id_fkey FOREIGN KEY (account_id, profile_id) REFERENCES profiles(account_id, id)
  constraint interactions_pkey PRIMARY KEY (account_id, id)
  CREATE UNIQUE INDEX interactions_account_id_profile_id_experience_id_key ON interactions USING btree (account_id, profile_id, experience_id)
  CREATE INDEX interactions_by_experience ON interactions USING btree (account_id, experience_id, id)
  CREATE INDEX interactions_by_experience_and_profile ON interactions USING btree (account_id, experience_id, profile_id)
  CREATE INDEX interactions_by_update ON interactions USING btree (account_id, experience_id, updated_tick, id)
  CREATE UNIQUE INDEX interactions_pkey ON interactions USING btree (account_id, id)

table interruption_counts
  account_id text collate "C" not null
  week integer not null
  measure text not null
  value integer not null
  count integer not null
  constraint interruption_counts_pkey PRIMARY KEY (account_id, week, measure, value)
  CREATE UNIQUE INDEX interruption_counts_pkey ON interruption_counts USING btree (account_id, week, measure, value)

table interruption_days
  account_id text collate "C" not null
  profile_id text collate "C" not null
  day integer not null
  experience_id text collate "C" not null
  interruptions integer not null
  steps integer not null
  seconds integer not null
  constraint interruption_days_pkey PRIMARY KEY (account_id, profile_id, day, experience_id)
  CREATE UNIQUE INDEX interruption_days_pkey ON interruption_days USING btree (account_id, profile_id, day, experience_id)

table languages
  account_id text collate "C" not null
  id text collate "C" not null
  updated_at bigint not null
  code text collate "C" not null
  constraint languages_account_id_code_key UNIQUE (account_id, code)
  constraint languages_pkey PRIMARY KEY (account_id, id)
  CREATE UNIQUE INDEX languages_account_id_code_key ON languages USING btree (account_id, code)
  CREATE UNIQUE INDEX languages_pkey ON languages USING btree (account_id, id)

table limit_groups
  account_id text collate "C" not null
  id text collate "C" not null
  updated_at bigint not null
  name text not null
  max_count integer not null
  period_hours double precision not null
  experience_ids jsonb not null
  description text
  experience_kind text collate "C"
  tag_ids jsonb not null
  created_at bigint
  max_steps integer
  max_seconds integer
  constraint limit_groups_pkey PRIMARY KEY (account_id, id)
  CREATE UNIQUE INDEX limit_groups_pkey ON limit_groups USING btree (account_id, id)

table links
  id text collate "C" not null
  hash text collate "C" not null
  kind text not null
  person_id text collate "C"
  account_id text collate "C"
  role text
  created_by text collate "C"
  expires_at bigint not null
  used_at bigint
  note text
  secret_id text collate "C"
  constraint links_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
  constraint links_created_by_fkey FOREIGN KEY (created_by) REFERENCES admins(id)
  constraint links_hash_key UNIQUE (hash)
  constraint links_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id)
  constraint links_pkey PRIMARY KEY (id)
  CREATE INDEX links_by_account ON links USING btree (account_id)
  CREATE UNIQUE INDEX links_hash_key ON links USING btree (hash)
  CREATE UNIQUE INDEX links_pkey ON links USING btree (id)

table managed_records
  account_id text collate "C" not null
  record_id text collate "C" not null
  file text not null
  source text
  version text not null
  parts jsonb not null
  applied_at bigint not null
  constraint managed_records_pkey PRIMARY KEY (account_id, record_id)
  CREATE UNIQUE INDEX managed_records_pkey ON managed_records USING btree (account_id, record_id)

table merged_profiles
  account_id text collate "C" not null
  id text collate "C" not null
  profile_id text collate "C" not null
  at bigint not null
  exported_in integer
  constraint merged_profiles_account_id_profile_id_fkey FOREIGN KEY (account_id, profile_id) REFERENCES profiles(account_id, id)
  constraint merged_profiles_pkey PRIMARY KEY (account_id, id)
  CREATE INDEX merged_profiles_by_profile ON merged_profiles USING btree (account_id, profile_id)
  CREATE UNIQUE INDEX merged_profiles_pkey ON merged_profiles USING btree (account_id, id)

table migrations
  name text not null
  constraint migrations_pkey PRIMARY KEY (name)
  CREATE UNIQUE INDEX migrations_pkey ON migrations USING btree (name)

table move_problems
  account_id text collate "C" not null
  stage text not null
  record_id text collate "C" not null
  "position" bigint not null
  message text not null
  constraint move_problems_pkey PRIMARY KEY (account_id, stage, record_id, "position")
  CREATE UNIQUE INDEX move_problems_pkey ON move_problems USING btree (account_id, stage, record_id, "position")

table moved_experiences
  account_id text collate "C" not null
  experience_id text collate "C" not null
  source_hash text collate "C" not null
  content jsonb not null
  constraint moved_experiences_pkey PRIMARY KEY (account_id, experience_id)
  CREATE UNIQUE INDEX moved_experiences_pkey ON moved_experiences USING btree (account_id, experience_id)

table moved_pictures
  account_id text collate "C" not null
  address_hash text collate "C" not null
  path text not null
  constraint moved_pictures_pkey PRIMARY KEY (account_id, address_hash)
  CREATE UNIQUE INDEX moved_pictures_pkey ON moved_pictures USING btree (account_id, address_hash)

table moved_settings
  account_id text collate "C" not null
  stage text not null
  record_id text collate "C" not null
  updated_at bigint not null
  constraint moved_settings_pkey PRIMARY KEY (account_id, stage, record_id)
  CREATE UNIQUE INDEX moved_settings_pkey ON moved_settings USING btree (account_id, stage, record_id)

table moves
  account_id text collate "C" not null
  updated_at bigint not null
  admin_id text collate "C" not null
  source text not null
  source_account_id text collate "C" not null
  started_at bigint not null
  finished_at bigint
  released_at bigint
  claim text collate "C"
  claimed_at bigint
  error text
  progress jsonb not null
  constraint moves_pkey PRIMARY KEY (account_id)
  CREATE UNIQUE INDEX moves_pkey ON moves USING btree (account_id)

table open_editors
  account_id text collate "C" not null
  experience_id text collate "C" not null
  admin_id text collate "C" not null
  seen_at bigint not null
  constraint open_editors_pkey PRIMARY KEY (account_id, experience_id, admin_id)
  CREATE UNIQUE INDEX open_editors_pkey ON open_editors USING btree (account_id, experience_id, admin_id)

table outbox
  account_id text collate "C" not null
  webhook_id text collate "C" not null
  id text collate "C" not null
  profile_id text collate "C"
  kind text not null
  payload jsonb not null
  repeat_key text collate "C"
  attempts integer not null
  next_at bigint
  state text not null
  constraint outbox_pkey PRIMARY KEY (account_id, webhook_id, id)
  CREATE INDEX outbox_by_profile ON outbox USING btree (account_id, profile_id, webhook_id, id) WHERE (profile_id IS NOT NULL)
  CREATE INDEX outbox_due ON outbox USING btree (account_id, webhook_id, next_at) WHERE (next_at IS NOT NULL)
  CREATE INDEX outbox_failed ON outbox USING btree (account_id, webhook_id, id) WHERE (state = 'failed'::text)
  CREATE UNIQUE INDEX outbox_pkey ON outbox USING btree (account_id, webhook_id, id)
  CREATE UNIQUE INDEX outbox_repeated ON outbox USING btree (account_id, webhook_id, profile_id, repeat_key) WHERE (repeat_key IS NOT NULL)

table page_counts
  account_id text collate "C" not null
  day integer not null
  what text collate "C" not null
  count bigint not null
  constraint page_counts_pkey PRIMARY KEY (account_id, day, what)
  CREATE UNIQUE INDEX page_counts_pkey ON page_counts USING btree (account_id, day, what)

table people
  id text collate "C" not null
  name text not null
  email text not null
  email_key text collate "C" not null
  password_hash text
  updated_at bigint not null
  constraint people_email_key_key UNIQUE (email_key)
  constraint people_pkey PRIMARY KEY (id)
  CREATE UNIQUE INDEX people_email_key_key ON people USING btree (email_key)
  CREATE UNIQUE INDEX people_pkey ON people USING btree (id)

table picks
  account_id text collate "C" not null
  id text collate "C" not null
  admin_id text collate "C" not null
  purpose text not null
  experience_id text collate "C" not null
  step_id text collate "C"
  profile_id text collate "C"
  host text collate "C" not null
  href text not null
  key_hash text collate "C" not null
  code_hash text collate "C" not null
  token_hash text collate "C"
  expires_at bigint not null
  opened_at bigint
  page jsonb
  result jsonb
  result_at bigint
  ended_at bigint
  theme_id text collate "C"
  constraint picks_pkey PRIMARY KEY (account_id, id)
  CREATE INDEX picks_by_admin ON picks USING btree (account_id, admin_id, id)
  CREATE INDEX picks_by_code ON picks USING btree (account_id, code_hash)
  CREATE UNIQUE INDEX picks_by_key ON picks USING btree (account_id, key_hash)
  CREATE INDEX picks_by_profile ON picks USING btree (account_id, profile_id)
  CREATE UNIQUE INDEX picks_pkey ON picks USING btree (account_id, id)

table picture_pieces
  account_id text collate "C" not null
  hash text collate "C" not null
  scale integer not null
  "position" integer not null
  bytes bytea not null
  constraint picture_pieces_pkey PRIMARY KEY (account_id, hash, scale, "position")
  CREATE UNIQUE INDEX picture_pieces_pkey ON picture_pieces USING btree (account_id, hash, scale, "position")

table pictures
  account_id text collate "C" not null
  id text collate "C" not null
  updated_at bigint not null
  hash text collate "C" not null
  name text not null
  type text not null
  width integer not null
  height integer not null
  size integer not null
  size_2x integer
  unused_at bigint
  constraint pictures_pkey PRIMARY KEY (account_id, id)
  CREATE UNIQUE INDEX pictures_by_hash ON pictures USING btree (account_id, hash)
  CREATE UNIQUE INDEX pictures_pkey ON pictures USING btree (account_id, id)

table profile_counts
  account_id text collate "C" not null
  counted_to text collate "C" not null
  count bigint not null
  started_at bigint not null
  deletions bigint not null
  constraint profile_counts_pkey PRIMARY KEY (account_id)
  CREATE UNIQUE INDEX profile_counts_pkey ON profile_counts USING btree (account_id)

table profile_events
  account_id text collate "C" not null
  profile_id text collate "C" not null
  name text collate "C" not null
  count integer not null
  first_at bigint not null
  last_at bigint not null
  constraint profile_events_pkey PRIMARY KEY (account_id, profile_id, name)
  CREATE INDEX profile_events_by_first ON profile_events USING btree (account_id, name, first_at)
  CREATE INDEX profile_events_by_name ON profile_events USING btree (account_id, name, profile_id)
  CREATE UNIQUE INDEX profile_events_pkey ON profile_events USING btree (account_id, profile_id, name)

table profiles
  account_id text collate "C" not null
  id text collate "C" not null
  updated_at bigint not null
  uid text collate "C" not null
  email text
  email_key text collate "C"
  company_id text collate "C"
  browser_x integer
  browser_tz integer
  browser_l text collate "C"
  browser_n text collate "C"
  browser_k text collate "C"
  percent double precision not null
  last_seen_at bigint
  last_seen_session_count integer not null
  last_cleared_at bigint
  delivery_ids jsonb not null
  custom jsonb not null
  page_keys jsonb not null
  test boolean
  is_test boolean not null
  custom_sources jsonb
  created_at bigint
  pending_starts jsonb not null
  wake_count integer not null
  constraint profiles_account_id_company_id_fkey FOREIGN KEY (account_id, company_id) REFERENCES companies(account_id, id)
  constraint profiles_account_id_uid_key UNIQUE (account_id, uid)
  constraint profiles_pkey PRIMARY KEY (account_id, id)
  CREATE UNIQUE INDEX profiles_account_id_uid_key ON profiles USING btree (account_id, uid)
  CREATE INDEX profiles_by_company ON profiles USING btree (account_id, company_id, id) WHERE (company_id IS NOT NULL)
  CREATE INDEX profiles_by_custom ON profiles USING gin (custom jsonb_path_ops)
  CREATE UNIQUE INDEX profiles_by_email ON profiles USING btree (account_id, email_key) WHERE (email_key IS NOT NULL)
  CREATE INDEX profiles_by_last_seen ON profiles USING btree (account_id, last_seen_at) WHERE (last_seen_at IS NOT NULL)
  CREATE UNIQUE INDEX profiles_pkey ON profiles USING btree (account_id, id)
  CREATE INDEX profiles_test ON profiles USING btree (account_id, id) WHERE is_test

table properties
  account_id text collate "C" not null
  id text collate "C" not null
  updated_at bigint not null
  name text not null
  description text
  kind text not null
  prop text not null
  integration text
  last_seen_at bigint
  types jsonb not null
  samples jsonb not null
  unproven text
  hidden boolean not null
  created_at bigint
  event_facts jsonb
  definition jsonb
  published_at bigint
  constraint properties_account_id_kind_prop_key UNIQUE (account_id, kind, prop)
  constraint properties_pkey PRIMARY KEY (account_id, id)
  CREATE UNIQUE INDEX properties_account_id_kind_prop_key ON properties USING btree (account_id, kind, prop)
  CREATE UNIQUE INDEX properties_pkey ON properties USING btree (account_id, id)

table proposals
  account_id text collate "C" not null
  id text collate "C" not null
  updated_at bigint not null
  state text not null
  kind text not null
  experience_id text collate "C"
  is_new boolean not null
  base_updated_at bigint
  document jsonb not null
  note text
  secret_id text collate "C"
  admin_id text collate "C" not null
  decided_at bigint
  decided_by text collate "C"
  reason text
  constraint proposals_pkey PRIMARY KEY (account_id, id)
  CREATE INDEX proposals_by_state ON proposals USING btree (account_id, state, id)
  CREATE UNIQUE INDEX proposals_pkey ON proposals USING btree (account_id, id)

table published_versions
  account_id text collate "C" not null
  version bigint not null
  constraint published_versions_pkey PRIMARY KEY (account_id)
  CREATE UNIQUE INDEX published_versions_pkey ON published_versions USING btree (account_id)

table reports
  account_id text collate "C" not null
  id text collate "C" not null
  created_at bigint
  updated_at bigint not null
  name text not null
  description text
  kind text not null
  params jsonb not null
  constraint reports_pkey PRIMARY KEY (account_id, id)
  CREATE UNIQUE INDEX reports_pkey ON reports USING btree (account_id, id)

table response_counts
  account_id text collate "C" not null
  experience_id text collate "C" not null
  segment_id text collate "C" not null
  count integer not null
  constraint response_counts_pkey PRIMARY KEY (account_id, experience_id, segment_id)
  CREATE UNIQUE INDEX response_counts_pkey ON response_counts USING btree (account_id, experience_id, segment_id)

table response_tags
  account_id text collate "C" not null
  response_id text collate "C" not null
  name text collate "C" not null
  experience_id text collate "C" not null
  profile_id text collate "C" not null
  constraint response_tags_pkey PRIMARY KEY (account_id, response_id, name)
  CREATE INDEX response_tags_by_name ON response_tags USING btree (account_id, experience_id, name, response_id)
  CREATE INDEX response_tags_by_profile ON response_tags USING btree (account_id, profile_id)
  CREATE UNIQUE INDEX response_tags_pkey ON response_tags USING btree (account_id, response_id, name)

table responses
  account_id text collate "C" not null
  id text collate "C" not null
  updated_at bigint not null
  experience_id text collate "C" not null
  profile_id text collate "C" not null
  showing_from bigint not null
  updated_tick bigint not null
  href text
  finished_at bigint
  created_at bigint
  score integer
  language text
  segment_ids text
  link_id text
  exported_in integer
  exported_tick bigint
  constraint responses_account_id_profile_id_fkey FOREIGN KEY (account_id, profile_id) REFERENCES profiles(account_id, id)
  constraint responses_pkey PRIMARY KEY (account_id, id)
  CREATE INDEX responses_by_experience ON responses USING btree (account_id, experience_id, id, score, language, finished_at)
  CREATE UNIQUE INDEX responses_by_profile ON responses USING btree (account_id, profile_id, experience_id, showing_from)
  CREATE INDEX responses_by_score ON responses USING btree (account_id, experience_id, score, id)
  CREATE INDEX responses_by_update ON responses USING btree (account_id, experience_id, updated_tick, id)
  CREATE UNIQUE INDEX responses_pkey ON responses USING btree (account_id, id)

table sample_records
  account_id text collate "C" not null
  type text collate "C" not null
  id text collate "C" not null
  at bigint not null
  constraint sample_records_pkey PRIMARY KEY (account_id, type, id)
  CREATE UNIQUE INDEX sample_records_pkey ON sample_records USING btree (account_id, type, id)

table score_counts
  account_id text collate "C" not null
  experience_id text collate "C" not null
  day integer not null
  step_id text collate "C" not null
  value text not null
  next_day integer not null
  count integer not null
  constraint score_counts_pkey PRIMARY KEY (account_id, experience_id, day, step_id, value, next_day)
  CREATE UNIQUE INDEX score_counts_pkey ON score_counts USING btree (account_id, experience_id, day, step_id, value, next_day)

table secrets
  id text collate "C" not null
  account_id text collate "C" not null
  admin_id text collate "C" not null
  name text not null
  hash text collate "C" not null
  last_used_at bigint
  revoked_at bigint
  updated_at bigint not null
  scope text not null
  expires_at bigint
  networks jsonb
  parent_id text collate "C"
  people boolean not null
  constraint secrets_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
  constraint secrets_admin_id_fkey FOREIGN KEY (admin_id) REFERENCES admins(id)
  constraint secrets_hash_key UNIQUE (hash)
  constraint secrets_pkey PRIMARY KEY (id)
  CREATE INDEX secrets_by_account ON secrets USING btree (account_id)
  CREATE UNIQUE INDEX secrets_hash_key ON secrets USING btree (hash)
  CREATE UNIQUE INDEX secrets_pkey ON secrets USING btree (id)

table segment_count_runs
  account_id text collate "C" not null
  claim text collate "C" not null
  claimed_at bigint not null
  share double precision not null
  constraint segment_count_runs_pkey PRIMARY KEY (account_id)
  CREATE UNIQUE INDEX segment_count_runs_pkey ON segment_count_runs USING btree (account_id)

table segment_counts
  account_id text collate "C" not null
  segment_id text collate "C" not null
  fingerprint text collate "C" not null
  count bigint not null
  estimate bigint not null
  is_complete boolean not null
  counted_at bigint not null
  took_ms integer not null
  constraint segment_counts_pkey PRIMARY KEY (account_id, segment_id)
  CREATE UNIQUE INDEX segment_counts_pkey ON segment_counts USING btree (account_id, segment_id)

table segments
  account_id text collate "C" not null
  id text collate "C" not null
  updated_at bigint not null
  name text not null
  items jsonb not null
  items_op text not null
  created_at bigint
  constraint segments_pkey PRIMARY KEY (account_id, id)
  CREATE UNIQUE INDEX segments_pkey ON segments USING btree (account_id, id)

table sessions
  id text collate "C" not null
  hash text collate "C" not null
  person_id text collate "C" not null
  account_id text collate "C" not null
  last_used_at bigint not null
  confirmed_at bigint
  user_agent text not null
  network text not null
  ended_at bigint
  constraint sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
  constraint sessions_hash_key UNIQUE (hash)
  constraint sessions_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id)
  constraint sessions_pkey PRIMARY KEY (id)
  CREATE INDEX sessions_by_person ON sessions USING btree (person_id)
  CREATE UNIQUE INDEX sessions_hash_key ON sessions USING btree (hash)
  CREATE UNIQUE INDEX sessions_pkey ON sessions USING btree (id)

table step_sketches
  account_id text collate "C" not null
  experience_id text collate "C" not null
  step_id text collate "C" not null
  updated_at bigint not null
  elements jsonb not null
  sketch jsonb not null
  constraint step_sketches_pkey PRIMARY KEY (account_id, experience_id, step_id)
  CREATE UNIQUE INDEX step_sketches_pkey ON step_sketches USING btree (account_id, experience_id, step_id)

table step_times
  account_id text collate "C" not null
  experience_id text collate "C" not null
  day integer not null
  step_id text collate "C" not null
  seconds integer not null
  count integer not null
  constraint step_times_pkey PRIMARY KEY (account_id, experience_id, day, step_id, seconds)
  CREATE UNIQUE INDEX step_times_pkey ON step_times USING btree (account_id, experience_id, day, step_id, seconds)

table tags
  account_id text collate "C" not null
  id text collate "C" not null
  updated_at bigint not null
  uid text collate "C" not null
  name text not null
  description text
  disabled_at bigint
  last_seen_at bigint
  created_at bigint
  constraint tags_account_id_uid_key UNIQUE (account_id, uid)
  constraint tags_pkey PRIMARY KEY (account_id, id)
  CREATE UNIQUE INDEX tags_account_id_uid_key ON tags USING btree (account_id, uid)
  CREATE UNIQUE INDEX tags_pkey ON tags USING btree (account_id, id)

table themes
  account_id text collate "C" not null
  id text collate "C" not null
  updated_at bigint not null
  name text not null
  is_default boolean not null
  draft jsonb not null
  version_id text collate "C"
  created_at bigint
  constraint themes_pkey PRIMARY KEY (account_id, id)
  CREATE UNIQUE INDEX themes_pkey ON themes USING btree (account_id, id)

table translations
  account_id text collate "C" not null
  experience_id text collate "C" not null
  language text collate "C" not null
  texts jsonb not null
  sources jsonb not null
  constraint translations_pkey PRIMARY KEY (account_id, experience_id, language)
  CREATE UNIQUE INDEX translations_pkey ON translations USING btree (account_id, experience_id, language)

table unplaced_steps
  account_id text collate "C" not null
  experience_id text collate "C" not null
  step_id text collate "C" not null
  constraint unplaced_steps_pkey PRIMARY KEY (account_id, experience_id, step_id)
  CREATE UNIQUE INDEX unplaced_steps_pkey ON unplaced_steps USING btree (account_id, experience_id, step_id)

table url_groups
  account_id text collate "C" not null
  id text collate "C" not null
  updated_at bigint not null
  archived_at bigint
  name text not null
  description text
  short_name text
  style_short_name_color text
  created_at bigint
  constraint url_groups_pkey PRIMARY KEY (account_id, id)
  CREATE UNIQUE INDEX url_groups_pkey ON url_groups USING btree (account_id, id)

table urls
  account_id text collate "C" not null
  id text collate "C" not null
  updated_at bigint not null
  url_group_id text collate "C"
  host text not null
  domain text not null
  enabled text not null
  installed_at bigint
  first_seen_at bigint
  last_seen_at bigint
  archived_at bigint
  created_at bigint
  constraint urls_account_id_host_key UNIQUE (account_id, host)
  constraint urls_account_id_url_group_id_fkey FOREIGN KEY (account_id, url_group_id) REFERENCES url_groups(account_id, id)
  constraint urls_pkey PRIMARY KEY (account_id, id)
  CREATE UNIQUE INDEX urls_account_id_host_key ON urls USING btree (account_id, host)
  CREATE INDEX urls_by_domain ON urls USING btree (account_id, domain, id)
  CREATE INDEX urls_by_url_group ON urls USING btree (account_id, url_group_id)
  CREATE UNIQUE INDEX urls_pkey ON urls USING btree (account_id, id)

table version_counts
  account_id text collate "C" not null
  experience_id text collate "C" not null
  day integer not null
  what text not null
  part_id text collate "C" not null
  previous_day integer not null
  version_id text collate "C" not null
  count integer not null
  constraint version_counts_pkey PRIMARY KEY (account_id, experience_id, day, what, part_id, previous_day, version_id)
  CREATE UNIQUE INDEX version_counts_pkey ON version_counts USING btree (account_id, experience_id, day, what, part_id, previous_day, version_id)

table versions
  account_id text collate "C" not null
  id text collate "C" not null
  experience_id text collate "C" not null
  change_id text collate "C" not null
  admin_id text collate "C" not null
  published_at bigint not null
  content jsonb not null
  constraint versions_pkey PRIMARY KEY (account_id, id)
  CREATE INDEX versions_by_experience ON versions USING btree (account_id, experience_id, id)
  CREATE UNIQUE INDEX versions_pkey ON versions USING btree (account_id, id)

table visited_paths
  account_id text collate "C" not null
  day integer not null
  host text collate "C" not null
  path text collate "C" not null
  count bigint not null
  last_seen_at bigint not null
  constraint visited_paths_pkey PRIMARY KEY (account_id, day, host, path)
  CREATE UNIQUE INDEX visited_paths_pkey ON visited_paths USING btree (account_id, day, host, path)

table webhook_attempts
  account_id text collate "C" not null
  id text collate "C" not null
  webhook_id text collate "C" not null
  item_id text collate "C" not null
  profile_id text collate "C"
  kind text not null
  at bigint not null
  status integer
  ms integer not null
  answer text
  error text
  constraint webhook_attempts_pkey PRIMARY KEY (account_id, id)
  CREATE INDEX webhook_attempts_by_item ON webhook_attempts USING btree (account_id, item_id, id)
  CREATE INDEX webhook_attempts_by_profile ON webhook_attempts USING btree (account_id, profile_id) WHERE (profile_id IS NOT NULL)
  CREATE INDEX webhook_attempts_by_webhook ON webhook_attempts USING btree (account_id, webhook_id, id)
  CREATE UNIQUE INDEX webhook_attempts_pkey ON webhook_attempts USING btree (account_id, id)

table webhook_events
  account_id text collate "C" not null
  id text collate "C" not null
  profile_id text collate "C" not null
  kind text not null
  payload jsonb not null
  repeat_key text collate "C"
  webhook_ids text collate "C" not null
  at bigint not null
  constraint webhook_events_pkey PRIMARY KEY (account_id, id)
  CREATE INDEX webhook_events_by_profile ON webhook_events USING btree (account_id, profile_id)
  CREATE UNIQUE INDEX webhook_events_pkey ON webhook_events USING btree (account_id, id)
  CREATE UNIQUE INDEX webhook_events_repeated ON webhook_events USING btree (account_id, profile_id, repeat_key, webhook_ids) WHERE (repeat_key IS NOT NULL)

table webhooks
  account_id text collate "C" not null
  id text collate "C" not null
  updated_at bigint not null
  kind text not null
  uid text collate "C" not null
  name text not null
  topics jsonb not null
  experience_ids jsonb not null
  secret_version integer not null
  secret_rotated_at bigint
  enabled boolean not null
  failing_since bigint
  last_item_at bigint
  last_item_state text
  last_item_error text
  created_at bigint
  own_secret text
  id_header text
  signature_header text
  constraint webhooks_pkey PRIMARY KEY (account_id, id)
  CREATE UNIQUE INDEX webhooks_by_uid ON webhooks USING btree (account_id, uid)
  CREATE UNIQUE INDEX webhooks_pkey ON webhooks USING btree (account_id, id)
