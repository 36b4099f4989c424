/** The params of a path such as `/app/experiences/:id/:tab?`, or undefined if it is another path. */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const parts = pattern.split('/');
  const actual = path.replace(/(.)\/$/, '$1').split('/');
  if (parts.at(-1)?.endsWith('?') && parts.length === actual.length + 1) parts.pop();
  if (parts.length !== actual.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const value = actual[index] ?? '';
    if (!part.startsWith(':')) {
      if (part !== value) return undefined;
    } else {
      const decoded = decode(value);
      if (!decoded) return undefined;
      params[part.replace(/^:|[?]$/g, '')] = decoded;
    }
  }
  return params;
}

function decode(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
