import { isRecord, readHost } from '@usher/domain';
import { readText } from '../read-record.ts';

/**
 * Reads the fields of a launcher that have another form in each service. What cannot be read is left out and named, so that the rest of
 * the launcher comes.
 */
export function readLauncherFields(params: Record<string, unknown>, problems: string[]): void {
  const leaveOut = (name: string, value: unknown) => {
    problems.push(`Its \`${name}\` is left out, because it cannot be used here: ${JSON.stringify(value)}`);
    return null;
  };
  const { icon_size, search_placeholder, preset, blocked_domains } = params;
  if (typeof icon_size === 'string') {
    const [, pixels] = /^\s*(\d{1,3}(?:\.\d+)?)\s*(?:px)?\s*$/.exec(icon_size) ?? [];
    params.icon_size = pixels === undefined ? leaveOut('icon_size', icon_size) : Number(pixels);
  }
  if (typeof params.icon_size === 'number' && !(params.icon_size >= 0 && params.icon_size <= 200))
    params.icon_size = leaveOut('icon_size', icon_size);
  else if (params.icon_size != null && typeof params.icon_size !== 'number')
    params.icon_size = leaveOut('icon_size', icon_size);
  for (const [name, value, max] of [
    ['search_placeholder', search_placeholder, 200],
    ['preset', preset, 255],
  ] as const) {
    const text = readText(value);
    if (value == null || value === '') params[name] = null;
    else if (text === null || text.length > max) params[name] = leaveOut(name, value);
  }
  if (blocked_domains !== undefined)
    params.blocked_domains = listDomains(blocked_domains).flatMap((domain) => {
      const host = readBlocked(domain);
      if (host === undefined) leaveOut('blocked_domains', domain);
      return host ?? [];
    });
}

/** A list, or a text with commas or lines. */
function listDomains(value: unknown): unknown[] {
  if (typeof value === 'string') return value.split(/[\s,;]+/).filter((part) => part !== '');
  return Array.isArray(value) ? value : value == null ? [] : [value];
}

/** A host, an address on it, or a record of a domain. */
function readBlocked(domain: unknown): string | undefined {
  const text = readText(isRecord(domain) ? (domain.host ?? domain.domain) : domain)?.trim();
  if (!text) return undefined;
  const bare = text
    .replace(/^[a-z][a-z\d+.-]*:\/\//i, '')
    .replace(/[/?#].*$/, '')
    .replace(/:\d+$/, '');
  const read = readHost(bare);
  return 'host' in read ? read.host : undefined;
}
