/**
 * Parses a response of the server. Its objects have no prototype, so that a property such as `constructor` is found only if the
 * server sent it. `__proto__` is left out: copying it into another object would change the prototype of that object.
 */
export function parseResponse<T>(text: string): T {
  return JSON.parse(text, (name, value) => {
    if (name === '__proto__') return undefined;
    return typeof value === 'object' && value && !Array.isArray(value) ? Object.setPrototypeOf(value, null) : value;
  });
}

/** Returns the value of an own property, and never one of the prototype. */
export function ownValue(object: Record<string, unknown> | undefined, name: string): unknown {
  return object && Object.hasOwn(object, name) ? object[name] : undefined;
}
