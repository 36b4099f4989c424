import { timeOfId } from '../basics/id.ts';
import type { Millis } from '../basics/time.ts';
import { type Host, readHost } from './host.ts';
import type { Url } from './url.ts';

/** Pages may make Urls of their hosts: so many, and then the oldest that no administrator has changed go. */
export const MAX_RECORDED_HOSTS = 1000;

/** What is known of a Url when a page asks. */
export interface KnownUrl {
  id: string;
  enabled: Url['enabled'];
  archived: boolean;
  installed_at: Millis | null;
}

type KnownUrls = ReadonlyMap<string, KnownUrl>;

/** Whether a page on a host gets anything, and if not, why. */
export type HostState = 'on' | 'off' | 'archived' | 'unknown';

/** The host of a page by its address or its origin, as Urls hold it. Undefined: it has none that a Url could hold. */
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
  return isLoopback(host) && ![...urls.values()].some(isAdded) ? 'on' : 'unknown';
}

/** What a host that is recorded now begins with: below a domain that takes in its subdomains it is on. */
export function initialEnabled({ host, domain }: Host, urls: KnownUrls): 'on' | 'off' {
  for (let parent = host; parent !== domain && parent.includes('.'); ) {
    parent = parent.slice(parent.indexOf('.') + 1);
    const url = urls.get(parent);
    if (url?.enabled === 'subdomain' && !url.archived) return 'on';
  }
  return 'off';
}

/** Whether a page made it: it was installed the moment it was made. */
export function isRecorded({ id, installed_at }: Pick<KnownUrl, 'id' | 'installed_at'>): boolean {
  return installed_at === timeOfId(id);
}

/** Whether a page made it and no administrator has changed it since. */
export function isUntouched(url: Pick<KnownUrl, 'id' | 'installed_at'> & { updated_at: Millis }): boolean {
  return isRecorded(url) && url.updated_at === timeOfId(url.id);
}

/** What a page recorded and nobody turned on is no domain that someone added. */
function isAdded(url: KnownUrl): boolean {
  return url.enabled !== 'off' || !isRecorded(url);
}

function isLoopback(host: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host);
}
