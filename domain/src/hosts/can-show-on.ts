import type { ExperiencePlace, Url } from './url.ts';

/** Whether an Experience, once it is live, can show on a domain that is on. */
export function canShowOn(
  { url_group_ids, hosts }: Pick<ExperiencePlace, 'url_group_ids' | 'hosts'>,
  { host, url_group_id, enabled }: Pick<Url, 'host'> & Partial<Pick<Url, 'url_group_id' | 'enabled'>>,
): boolean {
  const isOfHost = (one: string) => one === host || (enabled === 'subdomain' && one.endsWith(`.${host}`));
  const inEnvironment = url_group_ids.length === 0 || !url_group_id || url_group_ids.includes(url_group_id);
  return inEnvironment && (hosts === null || hosts.some(isOfHost));
}
