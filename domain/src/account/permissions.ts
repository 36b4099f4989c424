import { OneOf } from '../basics/schema.ts';

/* The schemas are marked as pure, so that the bundle of the dashboard contains the rules without the schemas. */

/** What a request can need. Every endpoint names one of these. */
export const permissions = ['read', 'translate', 'ingest', 'propose', 'edit', 'publish', 'own'] as const;
export type Permission = (typeof permissions)[number];
export const Permission = /* @__PURE__ */ OneOf(permissions);

/** What an administrator is in one account. */
export const roles = ['owner', 'editor', 'translator', 'viewer'] as const;
export type Role = (typeof roles)[number];
export const Role = /* @__PURE__ */ OneOf(roles);

/** What a secret is for. It can never do more than the administrator that it belongs to. */
export const scopes = ['read', 'ingest', 'propose', 'edit', 'all'] as const;
export type Scope = (typeof scopes)[number];
export const Scope = /* @__PURE__ */ OneOf(scopes);

/** Who may publish, as the account decides. */
export const publishers = ['editors', 'owners'] as const;
export type Publishers = (typeof publishers)[number];
export const Publishers = /* @__PURE__ */ OneOf(publishers);

const ofRole: Record<Role, readonly Permission[]> = {
  viewer: ['read'],
  translator: ['read', 'translate'],
  editor: ['read', 'translate', 'ingest', 'propose', 'edit', 'publish'],
  owner: permissions,
};

const ofScope: Record<Scope, readonly Permission[]> = {
  read: ['read'],
  ingest: ['ingest'],
  propose: ['read', 'propose'],
  edit: ['read', 'translate', 'ingest', 'propose', 'edit', 'publish'],
  all: permissions,
};

/** An administrator, and the scope of the secret that acts for them. A person who has signed in has no such limit. */
interface Grant {
  role: Role;
  scope?: Scope | undefined;
}

/** Whether role and scope both permit this. */
export function hasPermission(
  { role, scope = 'all' }: Grant,
  permission: Permission,
  whoMayPublish: Publishers = 'editors',
): boolean {
  if (permission === 'publish' && whoMayPublish === 'owners' && role !== 'owner') return false;
  return ofRole[role].includes(permission) && ofScope[scope].includes(permission);
}

export function permissionsOf(grant: Grant, whoMayPublish?: Publishers): Permission[] {
  return permissions.filter((permission) => hasPermission(grant, permission, whoMayPublish));
}

/** Whether a scope permits nothing that another one does not. */
export function isWithinScope(scope: Scope, other: Scope): boolean {
  return ofScope[scope].every((permission) => ofScope[other].includes(permission));
}

/** Says whether the role or the scope does not permit something, and what to do about it. */
export function explainMissing({ role, scope = 'all' }: Grant, permission: Permission): string {
  if (hasPermission({ role }, permission))
    return `The scope of this secret is \`${scope}\`, which is not enough here: use a secret with the scope \`${scopeFor(permission)}\``;
  const [article, who] = [role === 'editor' || role === 'owner' ? 'an' : 'a', whoMay(permission)];
  return `Only ${who} may do this, and you are ${article} ${role} in this account: ask an owner`;
}

function scopeFor(permission: Permission): Scope {
  return scopes.find((scope) => ofScope[scope].includes(permission)) ?? 'all';
}

function whoMay(permission: Permission): string {
  const names = roles.filter((role) => hasPermission({ role }, permission)).map((role) => `${role}s`);
  return names.length === 1 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
