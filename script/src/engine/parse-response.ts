/**
 * An answer of the server. Its objects have no prototype, so that a property that is named like something of one, such as
 * `constructor`, is found only where it was sent. `__proto__` is left out: copying it into another object would change that one.
 */
export function readAnswer<T>(text: string): T {
  return JSON.parse(text, (name, value) => {
    if (name === '__proto__') return undefined;
    return typeof value === 'object' && value && !Array.isArray(value) ? Object.setPrototypeOf(value, null) : value;
  });
}

/** What an object has itself by this name. */
export function ownValue(object: Record<string, unknown> | undefined, name: string): unknown {
  return object && Object.hasOwn(object, name) ? object[name] : undefined;
}
