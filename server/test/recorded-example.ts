const MAX_TEXT = 200;
const MAX_RECORDS = 2;
const MAX_SCALARS = 5;
const NEW_ID = /^[0-9a-f]{24}$/;
const ID_IN_NAME = /\b[0-9a-f]{24}\b/;
const EXAMPLE_ID = '5fb70dcbc39330000325a818';
const TIMESTAMP = /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A response as an example: with short lists and texts, and without what differs each time. */
export function toExample(value: unknown): unknown {
  if (Array.isArray(value)) {
    const isOfRecords = value.every((item) => typeof item === 'object' && item !== null);
    return value.slice(0, isOfRecords ? MAX_RECORDS : MAX_SCALARS).map(toExample);
  }
  if (typeof value === 'object' && value !== null) {
    // The schemas of files would be an eighth of the whole document.
    const isSchema = '$schema' in value;
    const shown = Object.entries(value).filter(([, inner]) => !isSchema || typeof inner !== 'object');
    return Object.fromEntries(shown.map(([name, inner]) => [name.replace(ID_IN_NAME, EXAMPLE_ID), toExample(inner)]));
  }
  if (typeof value !== 'string') return value;
  if (NEW_ID.test(value)) return EXAMPLE_ID;
  if (TIMESTAMP.test(value)) return '2029-04-07T12:18:00.000Z';
  const withoutSecrets = value.replace(/[\w+/=-]{32,}/g, '…');
  return withoutSecrets.replace(/http:\/\/127\.0\.0\.1:\d+/g, 'https://usher.example.com').slice(0, MAX_TEXT);
}

/** Whether both have the same keys and types. What is null or empty in one of them can be anything in the other. */
export function haveSameShape(one: unknown, other: unknown): boolean {
  if (one === null || other === null) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    const count = Math.min(one.length, other.length);
    return one.slice(0, count).every((item, index) => haveSameShape(item, other[index]));
  }
  if (typeof one !== 'object' || typeof other !== 'object' || Array.isArray(one) !== Array.isArray(other))
    return typeof one === typeof other;
  const [fields, others] = [one as Record<string, unknown>, other as Record<string, unknown>];
  const names = new Set([...Object.keys(fields), ...Object.keys(others)]);
  return [...names].every((name) => name in fields && name in others && haveSameShape(fields[name], others[name]));
}
