table accounts
  id text collate "C" not null
  name text not null
  token text not null
  updated_at bigint not null
  constraint accounts_pkey PRIMARY KEY (id)
  constraint accounts_token_key UNIQUE (token)
  CREATE UNIQUE INDEX accounts_pkey ON accounts USING btree (id)
  CREATE UNIQUE INDEX accounts_token_key ON accounts USING btree (token)

table admins
  id text collate "C" not null
  account_id text collate "C" not null
  name text not null
  email text not null
  role text not null
  password_hash text
  updated_at bigint not null
  constraint admins_account_id_email_key UNIQUE (account_id, email)
  constraint admins_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
  constraint admins_pkey PRIMARY KEY (id)
  CREATE UNIQUE INDEX admins_account_id_email_key ON admins USING btree (account_id, email)
  CREATE UNIQUE INDEX admins_pkey ON admins USING btree (id)

table migrations
  name text not null
  constraint migrations_pkey PRIMARY KEY (name)
  CREATE UNIQUE INDEX migrations_pkey ON migrations USING btree (name)

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
  "values" jsonb not null
  constraint properties_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
  constraint properties_account_id_kind_prop_key UNIQUE (account_id, kind, prop)
  constraint properties_pkey PRIMARY KEY (account_id, id)
  CREATE UNIQUE INDEX properties_account_id_kind_prop_key ON properties USING btree (account_id, kind, prop)
  CREATE UNIQUE INDEX properties_pkey ON properties USING btree (account_id, id)

table secrets
  id text collate "C" not null
  account_id text collate "C" not null
  admin_id text collate "C" not null
  name text not null
  hash text collate "C" not null
  last_used_at bigint
  revoked_at bigint
  updated_at bigint not null
  constraint secrets_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
  constraint secrets_admin_id_fkey FOREIGN KEY (admin_id) REFERENCES admins(id)
  constraint secrets_hash_key UNIQUE (hash)
  constraint secrets_pkey PRIMARY KEY (id)
  CREATE UNIQUE INDEX secrets_hash_key ON secrets USING btree (hash)
  CREATE UNIQUE INDEX secrets_pkey ON secrets USING btree (id)

table url_groups
  account_id text collate "C" not null
  id text collate "C" not null
  updated_at bigint not null
  archived_at bigint
  name text not null
  description text
  short_name text
  style_short_name_color text
  constraint url_groups_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
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
  constraint urls_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
  constraint urls_account_id_host_key UNIQUE (account_id, host)
  constraint urls_account_id_url_group_id_fkey FOREIGN KEY (account_id, url_group_id) REFERENCES url_groups(account_id, id)
  constraint urls_pkey PRIMARY KEY (account_id, id)
  CREATE UNIQUE INDEX urls_account_id_host_key ON urls USING btree (account_id, host)
  CREATE INDEX urls_by_domain ON urls USING btree (account_id, domain, id)
  CREATE INDEX urls_by_url_group ON urls USING btree (account_id, url_group_id)
  CREATE UNIQUE INDEX urls_pkey ON urls USING btree (account_id, id)
