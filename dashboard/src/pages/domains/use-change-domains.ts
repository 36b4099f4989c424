import { useQueryClient } from '@tanstack/react-query';
import { api, type ParamsOf } from '../../api/api.ts';
import { type Domain, loadDomains } from '../../api/domains.ts';
import { ApiError } from '../../api/errors.ts';
import { type Changed, invalidate } from '../../api/nouns.ts';
import { showError } from '../../app/show-error.ts';
import { showUndo } from '../../app/show-undo.ts';
import * as text from '../../messages/text.ts';
import { showToast } from '../../ui/toast.tsx';

type Change = Pick<ParamsOf<'POST /v3/edit/urls/batch'>, 'enabled' | 'archived_at' | 'url_group_id'>;

/** The previous state of a domain, as a change that restores it. */
const stateBefore = ({ enabled, archived_at, url_group_id }: Domain): Change => ({
  enabled,
  archived_at,
  url_group_id,
});

/** Changes one domain, unless somebody else has changed it meanwhile, or several domains together. */
async function send(domains: readonly Domain[], change: Change): Promise<Domain[]> {
  const [first, ...others] = domains;
  if (first && others.length === 0)
    return [(await api('PATCH /v3/edit/urls/{id}', { id: first.id, updated_at: first.updated_at, ...change })).url];
  return (await api('POST /v3/edit/urls/batch', { ids: domains.map(({ id }) => id), ...change })).urls;
}

/** Restores domains. Domains that get the same state are changed in one request. */
async function restore(before: readonly Domain[], after: readonly Domain[]): Promise<void> {
  if (after.length > 1) await checkUnchanged(after);
  const changed = new Map(after.map((domain) => [domain.id, domain]));
  const groups = Map.groupBy(before, (domain) => JSON.stringify(stateBefore(domain)));
  for (const group of groups.values()) {
    const [first] = group;
    const current = group.map((domain) => changed.get(domain.id) ?? domain);
    if (first) await send(current, stateBefore(first));
  }
}

/** Checks that no other person has changed the domains, because the API does not check that for several domains. */
async function checkUnchanged(domains: readonly Domain[]): Promise<void> {
  const now = new Map((await loadDomains()).map(({ id, updated_at }) => [id, updated_at]));
  if (domains.some(({ id, updated_at }) => now.get(id) !== updated_at)) throw new ApiError(409, {});
}

/** Loads everything about domains again. */
export function useReloadDomains(): () => Promise<void> {
  const client = useQueryClient();
  return () => invalidate(client, 'urls', 'url_groups', 'experiences', 'attention');
}

/** Returns a function that changes domains, reports it, and offers to undo it. */
export function useChangeDomains() {
  const reload = useReloadDomains();
  return async (domains: readonly Domain[], change: Change, title: string) => {
    try {
      const after = await send(domains, change);
      const undo = async () => {
        await restore(domains, after).finally(reload);
        showToast({ title: text.domains.done.undone });
      };
      showUndo({ title, about: aboutDomains(domains), undo });
    } catch (error) {
      showError(error);
    }
    // Domains are loaded again also after an error: somebody else may have changed a domain, or archived an Environment.
    await reload();
  };
}

export function aboutDomains(domains: readonly Domain[]): Changed[] {
  return domains.map(({ id }): Changed => `urls/${id}`);
}

/** Names the changed domains: the host of a single one, or their number. */
export function nameDomains(domains: readonly Domain[]): string {
  return domains.length === 1 ? (domains[0]?.host ?? '') : text.domains.count(domains.length);
}
