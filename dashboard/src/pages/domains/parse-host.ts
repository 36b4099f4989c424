/**
 * Parses what people type or paste into a host for the API: a whole address, a host with a port, or `*.example.com`.
 */
export function parseHost(input: string): { host: string; hasSubdomains: boolean } | undefined {
  const typed = input.trim();
  const withoutScheme = typed.replace(/^([a-z][a-z\d+.-]*:)?\/\//i, '');
  const hasSubdomains = withoutScheme.startsWith('*.');
  const rest = hasSubdomains ? withoutScheme.slice(2) : withoutScheme;
  try {
    const { hostname } = new URL(`http://${rest}`);
    const host = hostname.replace(/\.$/, '');
    return isHost(host) ? { host, hasSubdomains } : undefined;
  } catch {
    return undefined;
  }
}

/** A single word is a host only if it is a name of this machine: any other word is probably unfinished. */
function isHost(host: string): boolean {
  if (host.startsWith('[')) return true;
  if (host === 'localhost') return true;
  return /^([a-z\d_]([a-z\d_-]{0,61}[a-z\d_])?\.)+[a-z\d_]([a-z\d_-]{0,61}[a-z\d_])?$/.test(host) && host.length <= 253;
}

export function isLoopback(host: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host);
}
