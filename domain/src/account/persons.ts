import Type, { type Static } from 'typebox';
import { Id, Nullable, OutputObject, ShownOnce, standardFields, Text, Time, Timestamp } from '../basics/schema.ts';
import { MIN_PASSWORD } from './password-rule.ts';
import { Permission, Role, Scope } from './permissions.ts';
import { Preferences } from './preferences.ts';

const DAY = 24 * 60 * 60_000;
/** A session ends when it is not used for this long, and in any case after its greatest age. */
export const SESSION_IDLE_MS = 7 * DAY;
export const SESSION_MAX_MS = 30 * DAY;
/** For how long a password that was given counts for what needs it again. */
export const CONFIRMATION_MS = 10 * 60_000;

const MAX_PASSWORD = 255;

/** A link works once. An invitation leads to a role in an account, a reset link to a new password. */
export const linkKinds = ['setup', 'reset', 'invite'] as const;
export type LinkKind = (typeof linkKinds)[number];

/** What the audit log records, as noun and verb. */
export const auditActions = [
  'session.create',
  'session.reject',
  'session.switch',
  'session.delete',
  'person.update',
  'person.create_reset_link',
  'person.reset_password',
  'admin.create',
  'admin.update',
  'admin.delete',
  'invitation.create',
  'invitation.delete',
  'secret.create',
  'secret.delete',
  'proposal.create',
  'proposal.approve',
  'proposal.reject',
  'account.create',
  'account.update',
  'account.create_uid_secret',
  'backup.create',
  'url.create',
  'url.update',
  'url.move',
  'url_group.create',
  'url_group.update',
  'language.create',
  'language.delete',
  'alert_group.create',
  'alert_group.update',
  'alert_group.delete',
  'experiment.create',
  'experiment.update',
  'experiment.delete',
  'experiment.start',
  'experiment.end',
  'experiment.publish_winner',
  'experiment.undo_winner',
  'limit_group.create',
  'limit_group.update',
  'limit_group.delete',
  'report.create',
  'report.update',
  'report.delete',
  'webhook.create',
  'webhook.update',
  'webhook.delete',
  'webhook.rotate',
  'experience.publish',
  'experience.unpublish',
  'experience.schedule',
  'experience.archive',
  'experience.restore',
  'experience.delete',
  'event_name.publish',
  'event_name.unpublish',
  'event_name.update',
  'event_name.delete',
  'theme.publish',
  'theme.unpublish',
  'theme.set_default',
  'theme.delete',
  'debug_token.create',
  'pick.create',
  'pick.open',
  'profile.clear',
  'profile.export',
  'profile.forget',
  'profile.update',
  'import.start',
  'import.delete',
  'sample_data.load',
  'sample_data.remove',
  'move.start',
  'move.release',
] as const;
export type AuditAction = (typeof auditActions)[number];

/* What clients send. */

export const Email = Type.Unsafe<string>({
  type: 'string',
  pattern: '^[^\\s@]+@[^\\s@]+$',
  minLength: 3,
  maxLength: 255,
  description: 'an email address such as `ann@example.com`',
});

/** A password that somebody chooses. Error messages add how long it must be. */
export const NewPassword = Type.Unsafe<string>({
  type: 'string',
  minLength: MIN_PASSWORD,
  maxLength: MAX_PASSWORD,
  description: 'a text',
});
/** A password that somebody has chosen before. It is compared, not checked. */
export const GivenPassword = Type.Unsafe<string>({
  type: 'string',
  minLength: 1,
  maxLength: MAX_PASSWORD,
  description: 'the password',
});
export const PersonName = Text('a name, as colleagues know it', 100);
export const LinkToken = Text('the part of the link after `#`', 100);

export const CreateSecret = Type.Object({
  name: Text('a name that says what the secret is for'),
  scope: Scope,
  people: Type.Optional(
    Type.Unsafe<boolean>({
      type: 'boolean',
      description: '`true` if assistants with this secret may read data of people, and `false` otherwise',
    }),
  ),
  expires_at: Type.Optional(Nullable(Time)),
  networks: Type.Optional(
    Nullable(
      Type.Array(Text('an address or a network such as `192.0.2.0/24`', 50), {
        minItems: 1,
        maxItems: 20,
        description: 'a list of addresses and networks such as `192.0.2.0/24`',
      }),
    ),
  ),
});
export type CreateSecret = Static<typeof CreateSecret>;

/** How many secrets an account can have that have not expired. A secret is revoked together with the secrets that it has created. */
export const MAX_SECRETS = 1000;

export const RevokeSecret = Type.Object({
  keep_children: Type.Unsafe<boolean>({
    type: 'boolean',
    default: false,
    description: '`true` to keep the secrets that this one has made',
  }),
});

const MAX_NOTE = 200;

export const CreateInvitation = Type.Object({
  role: Role,
  note: Type.Optional(Nullable(Text('for whom the invitation is, shown in the list of invitations', MAX_NOTE))),
});
export type CreateInvitation = Static<typeof CreateInvitation>;

/* What the server responds with. */

export const Person = OutputObject({ id: Id, name: Type.String(), email: Type.String() });
export type Person = Static<typeof Person>;

export const Session = OutputObject({
  id: Id,
  created_at: Timestamp,
  last_used_at: Timestamp,
  expires_at: Timestamp,
  /** Until when the password need not be given again; null if it has to be. */
  confirmed_until: Nullable(Timestamp),
  user_agent: Type.String(),
  network: Type.String(),
  /** Whether it is the session of this request. */
  current: Type.Boolean(),
});
export type Session = Static<typeof Session>;

/** Everything that the dashboard needs to know about who has signed in. */
export const SignedIn = OutputObject({
  session: Session,
  person: Person,
  account: OutputObject({ id: Id, name: Type.String(), token: Type.String() }),
  user: OutputObject({ id: Id, role: Role, permissions: Type.Array(Permission) }),
  accounts: Type.Array(OutputObject({ id: Id, name: Type.String(), role: Role })),
  preferences: Preferences,
});
export type SignedIn = Static<typeof SignedIn>;

/** A person in an account, as Changes name them too. */
export const User = OutputObject({ id: Id, name: Type.String(), email: Type.String() });
export type User = Static<typeof User>;

export const Admin = OutputObject({
  ...standardFields,
  name: Type.String(),
  email: Type.String(),
  role: Role,
  /** When the person used this account the last time. */
  last_used_at: Nullable(Timestamp),
  /** Whether the request acts for this administrator. */
  current: Type.Boolean(),
});
export type Admin = Static<typeof Admin>;

export const Invitation = OutputObject({
  ...standardFields,
  role: Role,
  note: Nullable(Type.String()),
  expires_at: Timestamp,
  user: Nullable(User),
});
export type Invitation = Static<typeof Invitation>;
export const InvitationWithUrl = OutputObject({ ...Invitation.properties, url: ShownOnce });
export type InvitationWithUrl = Static<typeof InvitationWithUrl>;

export const Secret = OutputObject({
  ...standardFields,
  name: Type.String(),
  scope: Scope,
  /** Whether an assistant with this secret may read data of people: profiles, responses, timelines, Deliveries. */
  people: Type.Boolean(),
  expires_at: Nullable(Timestamp),
  networks: Nullable(Type.Array(Type.String())),
  last_used_at: Nullable(Timestamp),
  /** The secret that made this one, and with which it is revoked; null if a person or the command line made it. */
  parent_id: Nullable(Id),
  user: User,
});
export type Secret = Static<typeof Secret>;
export const SecretWithValue = OutputObject({ ...Secret.properties, secret: ShownOnce });
export type SecretWithValue = Static<typeof SecretWithValue>;

export const Link = OutputObject({
  kind: Type.Unsafe<LinkKind>({ type: 'string', enum: [...linkKinds] }),
  expires_at: Timestamp,
  account: Nullable(OutputObject({ name: Type.String() })),
  role: Nullable(Role),
  email: Nullable(Type.String()),
});
export type Link = Static<typeof Link>;

export const AuditEntry = OutputObject({
  id: Id,
  created_at: Timestamp,
  action: Type.Unsafe<AuditAction>({ type: 'string', enum: [...auditActions] }),
  target_type: Nullable(Type.String()),
  target_id: Nullable(Type.String()),
  /** The name that it has now. Null for what is gone, or has no name of its own. */
  target_name: Nullable(Type.String()),
  /** What changed, as far as it is no secret. */
  details: Type.Record(Type.String(), Type.Unknown()),
  network: Nullable(Type.String()),
  /** The secret that was used; null for a person who has signed in. */
  secret_id: Nullable(Id),
  /** Null for the command line. */
  user: Nullable(User),
});
export type AuditEntry = Static<typeof AuditEntry>;
