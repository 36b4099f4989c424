/**
 * Puts params into the path where it names them, and all others into the query or the body. If the body has files, they
 * go into the query.
 */
export function requestOf(
  operation: string,
  params: Record<string, unknown>,
  hasFiles = false,
): { url: string; init: RequestInit } {
  const [method = 'GET', path = ''] = operation.split(' ');
  const rest = { ...params };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name]);
    delete rest[name];
    return encodeURIComponent(value);
  });
  const headers = { Accept: 'application/json' };
  if (method !== 'GET' && method !== 'DELETE' && !hasFiles) {
    const body = JSON.stringify(rest);
    return { url: filled, init: { method, headers: { ...headers, 'Content-Type': 'application/json' }, body } };
  }
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) {
    if (value === undefined) continue;
    query.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return { url: query.size > 0 ? `${filled}?${query}` : filled, init: { method, headers } };
}
