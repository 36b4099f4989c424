import { timeOfId } from '../basics/id.ts';
import type { Millis } from '../basics/time.ts';
import { type Host, readHost } from './host.ts';
import type { Url } from './url.ts';

/**
 * Pages may record their hosts as Urls, up to this many. Beyond it, the oldest Urls that no administrator has changed are
 * removed.
 */
export const MAX_RECORDED_HOSTS = 1000;

/** What the rules need of a Url when a page loads. */
export interface KnownUrl {
  id: string;
  enabled: Url['enabled'];
  archived: boolean;
  installed_at: Millis | null;
}

/** The host of sample data. The domain `example` is reserved, so there are no pages on it. */
export const SAMPLE_HOST = 'sample.example';

type KnownUrls = ReadonlyMap<string, KnownUrl>;

/** Whether Experiences show on a host, and if not, why. */
export type HostState = 'on' | 'off' | 'archived' | 'unknown';

/** The host of an address or origin in the form that Urls have; undefined when it has no valid host. */
export function parsePageHost(address: string): Host | undefined {
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(address)) return undefined;
  try {
    const host = readHost(new URL(address).hostname);
    return 'problem' in host ? undefined : host;
  } catch {
    return undefined;
  }
}

export function findHostState(host: string, urls: KnownUrls): HostState {
  const url = urls.get(host);
  if (url) return url.archived ? 'archived' : url.enabled === 'off' ? 'off' : 'on';
  const hasAdded = () => [...urls].some(([known, url]) => known !== SAMPLE_HOST && isAdded(url));
  return isLoopback(host) && !hasAdded() ? 'on' : 'unknown';
}

/** The initial `enabled` of a host that a page records: it is on below a domain that includes its subdomains. */
export function initialEnabled({ host, domain }: Host, urls: KnownUrls): 'on' | 'off' {
  for (let parent = host; parent !== domain && parent.includes('.'); ) {
    parent = parent.slice(parent.indexOf('.') + 1);
    const url = urls.get(parent);
    if (url?.enabled === 'subdomain' && !url.archived) return 'on';
  }
  return 'off';
}

/** Whether a page recorded it: then it was installed at the time it was created. */
export function isRecorded({ id, installed_at }: Pick<KnownUrl, 'id' | 'installed_at'>): boolean {
  return installed_at === timeOfId(id);
}

/** Whether a page recorded it and no administrator has changed it since. */
export function isUntouched(url: Pick<KnownUrl, 'id' | 'installed_at'> & { updated_at: Millis }): boolean {
  return isRecorded(url) && url.updated_at === timeOfId(url.id);
}

/** Whether somebody added it. A host that a page recorded and nobody turned on does not count. */
function isAdded(url: KnownUrl): boolean {
  return url.enabled !== 'off' || !isRecorded(url);
}

export function isLoopback(host: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host);
}
