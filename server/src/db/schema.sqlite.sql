CREATE TABLE accounts (
  id text primary key,
  name text not null,
  token text not null unique,
  updated_at integer not null
);

CREATE TABLE admins (
  id text primary key,
  account_id text not null references accounts (id),
  name text not null,
  email text not null,
  role text not null,
  password_hash text,
  updated_at integer not null,
  unique (account_id, email)
);

CREATE TABLE migrations (name text primary key);

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
  types jsontext not null,
  "values" jsontext not null,
  primary key (account_id, id),
  unique (account_id, kind, prop)
);

CREATE TABLE secrets (
  id text primary key,
  account_id text not null references accounts (id),
  admin_id text not null references admins (id),
  name text not null,
  hash text not null unique,
  last_used_at integer,
  revoked_at integer,
  updated_at integer not null
);

CREATE TABLE url_groups (
  account_id text not null references accounts (id),
  id text not null,
  updated_at integer not null,
  archived_at integer,
  name text not null,
  description text,
  short_name text,
  style_short_name_color text,
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
  archived_at integer,
  primary key (account_id, id),
  unique (account_id, host),
  foreign key (account_id, url_group_id) references url_groups (account_id, id)
);

CREATE INDEX urls_by_domain on urls (account_id, domain, id);

CREATE INDEX urls_by_url_group on urls (account_id, url_group_id);
