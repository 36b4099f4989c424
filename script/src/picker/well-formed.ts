/** Removes halves of characters, which a text that was cut may end in. The server rejects them. */
export function withoutHalfCharacters<Value>(value: Value): Value {
  const json = JSON.stringify(value, (_, part) => (typeof part === 'string' ? part.replace(/\p{Cs}/gu, '') : part));
  return JSON.parse(json) as Value;
}
