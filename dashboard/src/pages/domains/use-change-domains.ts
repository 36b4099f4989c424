import { useQueryClient } from '@tanstack/react-query';
import { api, type ParamsOf } from '../../api/api.ts';
import type { Domain } from '../../api/domains.ts';
import { showError } from '../../app/show-error.ts';
import * as text from '../../messages/text.ts';
import { showToast } from '../../ui/toast.tsx';

type Change = Pick<ParamsOf<'POST /v3/edit/urls/batch'>, 'enabled' | 'archived_at' | 'url_group_id'>;

/** What a domain was before, as a change that leads back to it. */
const stateBefore = ({ enabled, archived_at, url_group_id }: Domain): Change => ({
  enabled,
  archived_at,
  url_group_id,
});

/** Changes one domain, unless somebody else has changed it meanwhile, or several together. */
async function send(domains: readonly Domain[], change: Change): Promise<Domain[]> {
  const [first, ...others] = domains;
  if (first && others.length === 0)
    return [(await api('PATCH /v3/edit/urls/{id}', { id: first.id, updated_at: first.updated_at, ...change })).url];
  return (await api('POST /v3/edit/urls/batch', { ids: domains.map(({ id }) => id), ...change })).urls;
}

/** Domains that are changed back to the same state are changed in one request. */
async function restore(before: readonly Domain[], after: readonly Domain[]): Promise<void> {
  const changed = new Map(after.map((domain) => [domain.id, domain]));
  const groups = Map.groupBy(before, (domain) => JSON.stringify(stateBefore(domain)));
  for (const group of groups.values()) {
    const [first] = group;
    const current = group.map((domain) => changed.get(domain.id) ?? domain);
    if (first) await send(current, stateBefore(first));
  }
}

/** Loads everything about domains again. */
export function useReloadDomains(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    const nouns = ['urls', 'url_groups', 'experiences'];
    await Promise.all(nouns.map((noun) => client.invalidateQueries({ queryKey: [noun] })));
  };
}

/** Returns a function that changes domains, says so, and offers to undo it. */
export function useChangeDomains() {
  const reload = useReloadDomains();
  const run = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      showError(error);
    }
    // Also after an error: somebody else may have changed a domain, or archived an Environment.
    await reload();
  };
  return (domains: readonly Domain[], change: Change, title: string) =>
    run(async () => {
      const after = await send(domains, change);
      const undo = () =>
        run(async () => {
          await restore(domains, after);
          showToast({ title: text.domains.done.undone });
        });
      showToast({ title, onUndo: () => void undo() });
    });
}

/** What a change was about: the host, or how many there were. */
export function nameDomains(domains: readonly Domain[]): string {
  return domains.length === 1 ? (domains[0]?.host ?? '') : text.domains.count(domains.length);
}
