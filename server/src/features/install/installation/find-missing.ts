import type { InstallationEntry, InstallationHost, MissingPart } from '@usher/domain';

/**
 * Lists the remaining steps until a page load with a user is seen, in words for administrators who do not code. The
 * next step comes first.
 */
export function findMissing(
  hosts: readonly InstallationHost[],
  entries: readonly Pick<InstallationEntry, 'kind' | 'host' | 'outcome'>[],
): MissingPart[] {
  const loaded = hosts.filter(({ installed_at }) => installed_at !== null);
  const off = loaded.filter(({ state }) => state !== 'on');
  const loadedWhereOn =
    loaded.length > off.length || entries.some(({ kind, outcome }) => kind === 'script' && outcome === 'accepted');
  if (loadedWhereOn)
    return [
      missing(
        'identify',
        'A page has loaded the script, but has not said who its user is. Add the call of `identify`.',
      ),
    ];
  if (off.length > 0)
    return off
      .slice(0, 3)
      .map(({ host, url_id }) =>
        missing('host_off', `${host} has loaded the script, but is turned off. Turn it on.`, { host, url_id }),
      );
  const isOn = hosts.some(({ state }) => state === 'on');
  return [
    missing('script', 'No page has loaded the script yet. Add the snippet to your product, and open one of its pages.'),
    ...(isOn ? [] : [missing('domain', 'No domain is turned on yet. A page that loads the script adds its own.')]),
  ];
}

function missing(
  code: MissingPart['code'],
  message: string,
  { host, url_id }: Pick<InstallationHost, 'host' | 'url_id'> | { host: null; url_id: null } = {
    host: null,
    url_id: null,
  },
): MissingPart {
  return { code, message, host, url_id };
}
