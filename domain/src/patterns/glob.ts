/** `*` stands for any text, also for none. One pass: each literal is matched at its first occurrence, which leaves the longest rest for the others. */
export function glob(pattern: string): (text: string) => boolean {
  const [first = '', ...inner] = pattern.split('*');
  const last = inner.pop();
  if (last === undefined) return (text) => text === pattern;
  return (text) => {
    if (!text.startsWith(first) || !text.endsWith(last)) return false;
    let at = first.length;
    for (const literal of inner) {
      const found = text.indexOf(literal, at);
      if (found < 0) return false;
      at = found + literal.length;
    }
    return at <= text.length - last.length;
  };
}
