/** A host as the API wants it, from what people type or paste: a whole address, a host with a port, or `*.example.com`. */
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

/** One word is a host only if it is on this machine: a single word is far more often something unfinished. */
function isHost(host: string): boolean {
  if (host.startsWith('[')) return true;
  if (host === 'localhost') return true;
  return /^([a-z\d_]([a-z\d_-]{0,61}[a-z\d_])?\.)+[a-z\d_]([a-z\d_-]{0,61}[a-z\d_])?$/.test(host) && host.length <= 253;
}

export function isLoopback(host: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host);
}
