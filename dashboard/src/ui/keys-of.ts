/** The names of an object's own fields, with their type. The object has no other fields than its type says. */
export function keysOf<Value extends object>(value: Value) {
  return Object.keys(value) as (keyof Value & string)[];
}
