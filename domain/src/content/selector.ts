/** The characters that can begin a name in CSS. */
const name = '[-_a-zA-Z\\u0080-\\u{10ffff}]';
const nameless = new RegExp(`[.#](?!${name})|:(?!:?${name})`, 'u');
/** Escaped characters and strings, which are skipped. */
const opaque = /\\.|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/gs;
const foreign = /[{}/;<@!%?`\\]/;
const closing: Record<string, string> = { '(': ')', '[': ']' };

/**
 * Describes the problem of a CSS selector for its author. It finds common mistakes; only a browser can check everything.
 */
export function findSelectorProblem(selector: string): string | undefined {
  const bare = selector.replace(opaque, 'a').trim();
  if (bare === '') return 'is empty';
  const quote = /["']/.exec(bare)?.[0];
  if (quote) return `has a quote that is never closed: ${quote}`;
  const bracket = unpaired(bare);
  if (bracket) return `has a bracket without its other half: ${bracket}`;
  const sign = foreign.exec(bare)?.[0];
  if (sign) return `has a ${sign} where none can be: in a name, write \\ before it`;
  const mark = nameless.exec(bare)?.[0];
  if (mark) return `has a ${mark} that no name follows (a name cannot begin with a digit)`;
  return /^[>+~,]|[>+~,]$/.test(bare) ? 'begins or ends with a sign that stands between two elements' : undefined;
}

/** The same for a `shadow_selector`: each of its levels is a selector inside of the shadow root of the level before. */
export function findShadowSelectorProblem(selector: string): string | undefined {
  return selector
    .split(' >>> ')
    .map(findSelectorProblem)
    .find((problem) => problem !== undefined);
}

function unpaired(text: string): string | undefined {
  const open: string[] = [];
  for (const [sign] of text.matchAll(/[()[\]]/g)) {
    if (sign in closing) open.push(sign);
    else if (closing[open.pop() ?? ''] !== sign) return sign;
  }
  return open.at(-1);
}
