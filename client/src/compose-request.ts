export type Params = Record<string, unknown>;

/** The URL and the body of an operation, such as `PATCH /v3/edit/urls/{id}`. What the path names goes there, the rest into the query or the body. */
export function composeRequest(
  baseUrl: string,
  operation: string,
  params: Params,
  form?: FormData,
): { method: string; url: string; body: string | FormData | undefined } {
  const [method = '', template = ''] = operation.split(' ');
  const rest = new Map(Object.entries(params).filter(([, value]) => value !== undefined));
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name);
    if (value === undefined || value === null || value === '')
      throw new TypeError(`\`${operation}\` needs \`${name}\``);
    rest.delete(name);
    return encodeURIComponent(String(value));
  });
  const inBody = method !== 'GET' && method !== 'DELETE' && !form;
  if (inBody) return { method, url: baseUrl + path, body: JSON.stringify(Object.fromEntries(rest)) };
  const query = new URLSearchParams();
  for (const [name, value] of rest) addToQuery(query, name, value);
  return { method, url: baseUrl + path + (query.size > 0 ? `?${query}` : ''), body: form };
}

/** Every v3 service reads `expand[profile]=all` and `ids[]=a&ids[]=b`. Lists of objects have no form of their own in a URL. */
function addToQuery(query: URLSearchParams, name: string, value: unknown): void {
  if (value instanceof Date) query.append(name, value.toISOString());
  else if (Array.isArray(value)) {
    if (value.some((item) => typeof item === 'object')) query.append(name, JSON.stringify(value));
    else for (const item of value) query.append(`${name}[]`, String(item));
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) addToQuery(query, `${name}[${key}]`, inner);
  } else query.append(name, value === null ? '' : String(value));
}
