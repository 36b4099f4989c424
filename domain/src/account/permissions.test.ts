import { describe, expect, it } from 'vitest';
import { explainMissing, isWithinScope, permissions, permissionsOf, publishers, roles, scopes } from './permissions.ts';

describe('permissionsOf', () => {
  it.each([
    ['viewer', ['read']],
    ['translator', ['read', 'translate']],
    ['editor', ['read', 'translate', 'ingest', 'propose', 'edit', 'publish']],
    ['owner', [...permissions]],
  ] as const)('permits a signed-in %s exactly %j', (role, expected) => {
    expect(permissionsOf({ role })).toEqual(expected);
  });

  it.each([
    ['read', ['read']],
    ['ingest', ['ingest']],
    ['propose', ['read', 'propose']],
    ['edit', ['read', 'translate', 'ingest', 'propose', 'edit', 'publish']],
    ['all', [...permissions]],
  ] as const)('permits a secret of an owner with the scope %s exactly %j', (scope, expected) => {
    expect(permissionsOf({ role: 'owner', scope })).toEqual(expected);
  });

  it('permits only what both the role and the scope permit', () => {
    for (const role of roles)
      for (const scope of scopes)
        for (const who of publishers) {
          const both = permissionsOf({ role, scope }, who);
          const expected = permissionsOf({ role }, who).filter((one) =>
            permissionsOf({ role: 'owner', scope }, who).includes(one),
          );
          expect([role, scope, who, both]).toEqual([role, scope, who, expected]);
        }
  });

  it('lets only owners publish where the account says so', () => {
    expect(permissionsOf({ role: 'editor' }, 'owners')).toEqual(['read', 'translate', 'ingest', 'propose', 'edit']);
    expect(permissionsOf({ role: 'owner' }, 'owners')).toContain('publish');
  });
});

describe('explainMissing', () => {
  it('names the role when the role is not enough', () => {
    expect(explainMissing({ role: 'editor' }, 'own')).toBe(
      'Only owners may do this, and you are an editor in this account: ask an owner',
    );
    expect(explainMissing({ role: 'viewer', scope: 'read' }, 'edit')).toBe(
      'Only owners and editors may do this, and you are a viewer in this account: ask an owner',
    );
  });

  it('names the scope when the role would be enough', () => {
    expect(explainMissing({ role: 'owner', scope: 'ingest' }, 'read')).toBe(
      'The scope of this secret is `ingest`, which is not enough here: use a secret with the scope `read`',
    );
    expect(explainMissing({ role: 'owner', scope: 'edit' }, 'own')).toContain('scope `all`');
  });
});

describe('isWithinScope', () => {
  it('is true exactly where the other scope permits everything that this one does', () => {
    const within = scopes.map((scope) => [scope, scopes.filter((other) => isWithinScope(scope, other))]);
    expect(within).toEqual([
      ['read', ['read', 'propose', 'edit', 'all']],
      ['ingest', ['ingest', 'edit', 'all']],
      ['propose', ['propose', 'edit', 'all']],
      ['edit', ['edit', 'all']],
      ['all', ['all']],
    ]);
  });
});
