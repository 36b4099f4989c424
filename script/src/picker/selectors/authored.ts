/*
 * Tells names that a developer has written from names that a tool has generated, which differ in the next deploy. It is
 * better to take a written name for a generated one than the other way round: the picker then uses something else.
 */

/** Names of libraries that number their elements, or put a hash behind their name. */
const made =
  /^(radix|headlessui|mui|ember|ext|yui|mat|cdk|react|downshift|jss|chakra|mantine|(ng|rc|el|v|p)[-_]).*\d|^(css|sc|svelte|astro|jsx|emotion)-./i;
/** Letters that hardly ever follow each other in a word. */
const unusual =
  /[bcdfghjklmnpqrstvwxz]{5}|q(?![uas])|j[^aeiou]|v[jkqwxz]|w[jqvxz]|x[djkmnqrvz]|z[bcdfgjkmnpqrstvx]|[cfgkp][xzjq]|[bd][xzq]/i;

type Origin = 'authored' | 'indexed' | 'generated';

/** Returns whether the name ends in a counter of a library. */
export function isCounted(name: string): boolean {
  return /^:|:$|[«»{}]/.test(name) || made.test(name);
}

/**
 * Returns the origin of a name. A name that is `indexed` ends in a small number: it names a place more than a thing.
 */
export function originOf(name: string): Origin {
  if (name.length > 60 || !/[a-z]{2}/i.test(name) || isCounted(name)) return 'generated';
  const words = name.split(/[^a-z0-9]+/i).filter(Boolean);
  const isIndex = (word: string) => /^(\d{1,2}|[a-z]{2,}\d)$/i.test(word);
  if (words.some((word) => !isIndex(word) && isHash(word))) return 'generated';
  return words.some(isIndex) ? 'indexed' : 'authored';
}

/**
 * Returns whether a word looks as if it was computed. Words of up to three letters may be abbreviations, unless their case is mixed as
 * in `Rw` and `aBc`, where a minifier has counted through the letters.
 */
function isHash(word: string): boolean {
  if (/\d/.test(word)) return true;
  if (word.length < 4) return /[a-z][A-Z]|^[A-Z][b-df-hj-np-tv-xz]{1,2}$/.test(word);
  const parts = word.split(/(?=[A-Z])/);
  const isMixed = word !== word.toUpperCase() && parts.length > 1 && word.length / parts.length < 3;
  const hasNoVowel = word.length > 4 && !/[aeiouy]/i.test(word);
  return isMixed || hasNoVowel || parts.some((part) => part.length > 3 && unusual.test(part));
}

const state =
  /^(is|has|ng|was)-|^(js|no-js|in|out|on|off|new|first|last|odd|even|fade|dark|light|enter|leave)$|(^|[-_])(active|open(ed)?|closed?|selected|current|disabled|enabled|focus(ed)?|hover(ed)?|visible|invisible|hidden|show(n|ing)?|hide|collapsed?|expanded|load(ing|ed)|checked|pressed|dragging|(in)?valid|error|success|dirty|touched|pristine|animat(ed|ing)|entering|leaving)$/i;
const utilityWord =
  /^(flex|grid|block|inline|relative|absolute|fixed|sticky|static|container|truncate|underline|italic|uppercase|lowercase|capitalize|antialiased|border|rounded|shadow|ring|transition|transform|row|col|clearfix|grow|shrink|table|contents|isolate|group|peer|outline|blur|resize|button|btn|link|text|icon|item|wrapper|inner|outer)$/;
const utilityName =
  /^-?(m|p|w|h|d|g|z|fs|fw|lh)?[trblxyse]?$|^-?(size|min|max|gap|space|inset|top|left|right|bottom|order|col|row|grid|flex|inline|table|basis|grow|shrink|text|font|leading|tracking|bg|border|rounded|shadow|opacity|ring|divide|outline|fill|stroke|object|overflow|justify|items|content|self|place|align|transition|duration|ease|delay|animate|scale|rotate|translate|cursor|select|pointer|sr|list|whitespace|break|aspect|backdrop|blur|float|offset|btn|will|line|no|not|from|to|via|origin|touch|snap|scroll|columns|decoration|accent|caret|mix)$/;
const utilityValue =
  /^(\d.*|xs|sm|md|base|lg|xl|xxl|full|screen|auto|none|px|min|max|fit|[trblxyse]{1,2}|start|end|center|between|around|evenly|stretch|baseline|thin|light|normal|medium|semibold|bold|black|white|transparent|current|inherit|hidden|visible|scroll|wrap|nowrap|cols?|rows?|span|reverse|left|right|top|bottom|middle|cover|contain|pointer|tight|snug|loose|wide|wider|only|block|inline|flex|grid|colors|all|in|out|spin|pulse|words|clip|ellipsis|mono|sans|serif|slate|gray|grey|zinc|neutral|stone|red|orange|amber|yellow|lime|green|emerald|teal|cyan|sky|blue|indigo|violet|purple|fuchsia|pink|rose|primary|secondary|muted|foreground|background|accent|destructive|danger|warning|info|default|events|change|underline|gutters|offset|width|height|opacity|shadow|transform)$/;

/** Returns whether a class says how an element looks or what state it is in, rather than what it is. */
export function isUtilityOrState(name: string): boolean {
  if (/[[\]/!@#.%&*+:]/.test(name) || state.test(name) || utilityWord.test(name)) return true;
  const [first = '', ...rest] = name.replace(/^-/, '').split('-');
  return rest.length > 0 && utilityName.test(first) && rest.every((value) => utilityValue.test(value));
}

/**
 * Returns the part of a class that a developer wrote, if a build has made the class unique, as in `Header_nav__a1B2c`
 * or `_nav_1x2y3_12`. The separators around the part are included, so that no other word of the class attribute is
 * likely to contain it.
 */
export function authoredPartOf(name: string): string | undefined {
  const [, part = '', hash = '', line] =
    /^(_?[a-z][a-z-]*(?:_[a-z][a-z-]*)?_{1,3})([\w-]{4,12}?)(_\d+)?$/i.exec(name) ?? [];
  if (!part || !(line || isHash(hash)) || originOf(part) !== 'authored') return undefined;
  return isUtilityOrState(part.replace(/^_|_+$/g, '')) ? undefined : part;
}
