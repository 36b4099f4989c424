import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRuns } from '../../test/random-runs.ts';
import { parseBlocks, parseMarkdown } from './markdown.ts';
import { isAddress, type Lookup, later, plainText, type RichNode, type RichText, resolve, valueAt } from './merge.ts';
import { listMergePaths } from './merge-tag.ts';

function parsed(source: string): RichText {
  const text = parseMarkdown(source);
  if ('problem' in text) throw new Error(`${source}: ${text.problem}`);
  return text;
}

function problemOf(source: string): string {
  const text = parseMarkdown(source);
  return 'problem' in text ? text.problem : 'none';
}

function parsedAll(sources: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(sources.map((source) => [source, parseMarkdown(source)]));
}

function resolved(source: string, values: unknown): RichText {
  return resolve(parsed(source), (_, path) => valueAt(values, path));
}

/** The content of a text with a single paragraph. */
function inline(source: string): RichNode[] {
  const [first, ...rest] = parsed(source);
  if (!Array.isArray(first) || first[0] !== 'p' || rest.length > 0) throw new Error(`${source} is no paragraph`);
  return first.slice(1) as RichNode[];
}

function inlines(sources: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(sources.map((source) => [source, inline(source)]));
}

/** Every address in a tree, with its attribute. */
function addressesIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const own = ['href', 'src'].flatMap((name) => {
    const address = (part as Record<string, unknown>)[name];
    return typeof address === 'string' ? [address] : [];
  });
  return [...own, ...Object.values(part).flatMap(addressesIn)];
}

function depthOf(part: unknown): number {
  if (typeof part !== 'object' || part === null) return 0;
  return 1 + Math.max(0, ...Object.values(part).map(depthOf));
}

/** How a browser on an https page reads the address. */
function schemeOf(address: string): string {
  const Url = globalThis.URL as unknown as new (address: string, base: string) => { protocol: string };
  try {
    return new Url(address, 'https://app.example.com/page').protocol;
  } catch {
    return 'none';
  }
}

const safe = ['https:', 'http:', 'mailto:', 'tel:', 'none'];
const names = new Set('p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre hr em strong del code br a img'.split(' '));

function namesIn(nodes: readonly unknown[]): string[] {
  return nodes.flatMap((node) => {
    if (Array.isArray(node)) return [String(node[0]), ...namesIn(node.slice(1))];
    if (typeof node !== 'object' || node === null || !('if' in node)) return [];
    const { show, else: otherwise } = node as unknown as { show: unknown[]; else?: unknown[] };
    return [...namesIn(show), ...namesIn(otherwise ?? [])];
  });
}

function leftOpen(tree: unknown): boolean {
  if (Array.isArray(tree)) return tree.some(leftOpen);
  return typeof tree === 'object' && tree !== null && ('prop' in tree || 'if' in tree);
}

const pieces = fc.constantFrom(
  ...['*', '**', '***', '_', '__', '~~', '`', '``', '[', '![', ']', '](', '](u)', '(', ')', '<', '>'],
  ...['<https://a>', '\\'],
  ...['\n', '\n\n', '  \n', '# ', '> ', '- ', '1. ', '  ', '```\n', '---\n', '"', "'", 'a', 'b c', ' ', '\t'],
  ...['\r', '&amp;'],
  ...['{{#if a}}', '{{else}}', '{{/if}}', '\n{{#if b}}\n', '\n{{else}}\n', '\n{{/if}}\n', '{{c}}', '\\{{', '😀'],
  ...['\ufdd0', '\0'],
);
const nearlyMarkdown = fc.oneof(
  { weight: 4, arbitrary: fc.array(pieces, { maxLength: 40 }).map((list) => list.join('')) },
  fc.string({ unit: 'binary' }),
);

describe('blocks', () => {
  it('parses blocks line by line', () => {
    const expected: Record<string, RichText> = {
      '': [],
      ' \n\t\n': [],
      'One\ntwo\n\nthree': [
        ['p', 'One\ntwo'],
        ['p', 'three'],
      ],
      'One\r\ntwo\r\rthree': [
        ['p', 'One\ntwo'],
        ['p', 'three'],
      ],
      '# One': [['h1', 'One']],
      '###### Six ##': [['h6', 'Six']],
      '## C# #': [['h2', 'C#']],
      '## C#': [['h2', 'C#']],
      '#': [['h1']],
      '####### seven': [['p', '####### seven']],
      '#hashtag': [['p', '#hashtag']],
      'Text\n# Title\ntext': [
        ['p', 'Text'],
        ['h1', 'Title'],
        ['p', 'text'],
      ],
      '---': [['hr']],
      'a\n* * *\nb': [['p', 'a'], ['hr'], ['p', 'b']],
      '--': [['p', '--']],
      '> a\n> b\n>\n> c': [['blockquote', ['p', 'a\nb'], ['p', 'c']]],
      '> a\nb\n\nc': [
        ['blockquote', ['p', 'a\nb']],
        ['p', 'c'],
      ],
      '>> a': [['blockquote', ['blockquote', ['p', 'a']]]],
      '```js\na *b*\n\n  c\n```\nd': [
        ['pre', 'a *b*\n\n  c'],
        ['p', 'd'],
      ],
      '~~~~\n```\n~~~\n~~~~': [['pre', '```\n~~~']],
      '```\nnever closed': [['pre', 'never closed']],
      '  ```\n  a\n    b\n  ```': [['pre', 'a\n  b']],
      '<script>alert(1)</script>': [['p', '<script>alert(1)</script>']],
      '<div onclick="x">\n\n# a': [
        ['p', '<div onclick="x">'],
        ['h1', 'a'],
      ],
    };
    expect(parsedAll(Object.keys(expected))).toEqual(expected);
  });

  it('parses nested lists', () => {
    const expected: Record<string, RichText> = {
      '- a\n- b': [['ul', ['li', 'a'], ['li', 'b']]],
      '* a\n+ b': [
        ['ul', ['li', 'a']],
        ['ul', ['li', 'b']],
      ],
      '1. a\n2. b\n7. c': [['ol', ['li', 'a'], ['li', 'b'], ['li', 'c']]],
      '3) a\n4) b': [['ol', { start: 3 }, ['li', 'a'], ['li', 'b']]],
      '- a\n\n- b': [['ul', ['li', 'a'], ['li', 'b']]],
      '- a\n\n  b\n- c': [['ul', ['li', ['p', 'a'], ['p', 'b']], ['li', 'c']]],
      '- a\n  - b\n    - c\n- d': [['ul', ['li', 'a', ['ul', ['li', 'b', ['ul', ['li', 'c']]]]], ['li', 'd']]],
      '1. a\n  - b\n2. c': [['ol', ['li', 'a', ['ul', ['li', 'b']]], ['li', 'c']]],
      '- a\n\tb': [['ul', ['li', 'a\nb']]],
      '- a\nb\n\nc': [
        ['ul', ['li', 'a\nb']],
        ['p', 'c'],
      ],
      'a\n- b': [
        ['p', 'a'],
        ['ul', ['li', 'b']],
      ],
      'a\n1. b': [
        ['p', 'a'],
        ['ol', ['li', 'b']],
      ],
      'In\n1999. it rained': [['p', 'In\n1999. it rained']],
      '-': [['ul', ['li']]],
      '-a': [['p', '-a']],
      '- > a\n- ```\n  b\n  ```': [['ul', ['li', ['blockquote', ['p', 'a']]], ['li', ['pre', 'b']]]],
    };
    expect(parsedAll(Object.keys(expected))).toEqual(expected);
  });

  it('parses ten levels of blocks, and text below', () => {
    const quote = JSON.stringify(parsed(`${'>'.repeat(12)} a`));
    expect(quote.split('"blockquote"')).toHaveLength(11);
    expect(quote).toContain('"p",">> a"');
    expect(JSON.stringify(parsed(`${'- '.repeat(12)}a`)).split('"ul"')).toHaveLength(11);
  });
});

describe('inline content', () => {
  it('parses emphasis', () => {
    const expected: Record<string, RichNode[]> = {
      'a *b* _c_': ['a ', ['em', 'b'], ' ', ['em', 'c']],
      '**a** __b__': [['strong', 'a'], ' ', ['strong', 'b']],
      '***a***': [['em', ['strong', 'a']]],
      '***a** b*': [['em', ['strong', 'a'], ' b']],
      '**a *b* c**': [['strong', 'a ', ['em', 'b'], ' c']],
      '*a **b***': [['em', 'a ', ['strong', 'b']]],
      '~~a~~ ~b~': [['del', 'a'], ' ~b~'],
      'a*b*c': ['a', ['em', 'b'], 'c'],
      'snake_case_name __init__x': ['snake_case_name __init__x'],
      '2 * 3 * 4': ['2 * 3 * 4'],
      '*a**b*': [['em', 'a**b']],
      '*a _b* c_': [['em', 'a _b'], ' c_'],
      '**a*': ['*', ['em', 'a']],
      '*a': ['*a'],
      '****a****': ['****a****'],
      '"*a*"': ['"', ['em', 'a'], '"'],
    };
    expect(inlines(Object.keys(expected))).toEqual(expected);
  });

  it('parses code, breaks and escapes', () => {
    const expected: Record<string, RichNode[]> = {
      '`a *b*`': [['code', 'a *b*']],
      '``a ` b``': [['code', 'a ` b']],
      '`` ` ``': [['code', '`']],
      '`a\nb`': [['code', 'a b']],
      '`a': ['`a'],
      '`` a `': ['`` a `'],
      '*a `b*` c*': [['em', 'a ', ['code', 'b*'], ' c']],
      'a  \nb\\\nc \nd': ['a', ['br'], 'b', ['br'], 'c\nd'],
      '\\*a\\* \\[b\\](c) \\\\ \\q \\': ['*a* [b](c) \\ \\q \\'],
      '&lt;b&gt; <b> <!-- x -->': ['&lt;b&gt; <b> <!-- x -->'],
      'a \ufdd00\ufdd0 \0': ['a \ufffd0\ufffd \0'],
    };
    expect(inlines(Object.keys(expected))).toEqual(expected);
  });

  it('parses links and images', () => {
    const expected: Record<string, RichNode[]> = {
      '[a](https://b.c/d?e=f#g)': [['a', { href: 'https://b.c/d?e=f#g' }, 'a']],
      '[a *b*](/c "d \\"e\\"")': [['a', { href: '/c', title: 'd "e"' }, 'a ', ['em', 'b']]],
      "[a]( b 'c' )": [['a', { href: 'b', title: 'c' }, 'a']],
      '[a](<b>)': [['a', { href: 'b' }, 'a']],
      '[a](b(c)d)': [['a', { href: 'b(c)d' }, 'a']],
      '[a](b\\)c)': [['a', { href: 'b)c' }, 'a']],
      '[a](mailto:a@b.c) [b](TEL:+1)': [['a', { href: 'mailto:a@b.c' }, 'a'], ' ', ['a', { href: 'TEL:+1' }, 'b']],
      '![a *b*](c.png "d")': [['img', { src: 'c.png', alt: 'a b', title: 'd' }]],
      '[![a](b)](c)': [['a', { href: 'c' }, ['img', { src: 'b', alt: 'a' }]]],
      '![a [b](c) ![d](e)](f)': [['img', { src: 'f', alt: 'a b d' }]],
      '[a [b](c) d](e)': ['[a ', ['a', { href: 'c' }, 'b'], ' d](e)'],
      '[a](b) [c](d)': [['a', { href: 'b' }, 'a'], ' ', ['a', { href: 'd' }, 'c']],
      '*[a*](b)': ['*', ['a', { href: 'b' }, 'a*']],
      '[`a](b)`': ['[', ['code', 'a](b)']],
      '<https://a.b/c>': [['a', { href: 'https://a.b/c' }, 'https://a.b/c']],
      '<mailto:a@b.c>': [['a', { href: 'mailto:a@b.c' }, 'mailto:a@b.c']],
      '<javascript:alert(1)> <a:b>': ['<javascript:alert(1)> <a:b>'],
      '[a] (b) [c]: d [e](f g) ] [': ['[a] (b) [c]: d [e](f g) ] ['],
      '[a](b "c': ['[a](b "c'],
      '[a](b': ['[a](b'],
      '!a ![b]': ['!a ![b]'],
    };
    expect(inlines(Object.keys(expected))).toEqual(expected);
  });
});

describe('merge tags in Markdown', () => {
  const tag = { prop: 'a' };

  it('parses merge tags wherever text can be', () => {
    const expected: Record<string, RichText> = {
      '# Hi {{a}}': [['h1', 'Hi ', tag]],
      '- {{a}}\n- **{{a}}**': [['ul', ['li', tag], ['li', ['strong', tag]]]],
      '`{{a}}`': [['p', ['code', tag]]],
      '```\n{{a}}\n```': [['pre', tag]],
      '{{a | fallback: "*x* [y](z)\n\n# w"}}': [['p', { ...tag, or: '*x* [y](z)\n\n# w' }]],
      '[{{a}}](https://b/{{a}} "{{a}}!")': [['p', ['a', { href: ['https://b/', tag], title: [tag, '!'] }, tag]]],
      '![{{a}}]({{a}})': [['p', ['img', { src: [tag], alt: [tag] }]]],
      '<https://b/{{a}}>': [['p', ['a', { href: ['https://b/', tag] }, 'https://b/', tag]]],
      '\\{{a}}': [['p', '{{a}}']],
      '{{a}}\n{{a}}': [['p', tag, '\n', tag]],
    };
    expect(parsedAll(Object.keys(expected))).toEqual(expected);
  });

  it('parses conditions inside a block', () => {
    const expected: Record<string, RichNode[]> = {
      'x {{#if a}}*y*{{else}}z{{/if}}': ['x ', { if: tag, show: [['em', 'y']], else: ['z'] }],
      '**x {{#if a}}y{{/if}}**': [['strong', 'x ', { if: tag, show: ['y'] }]],
      '[x{{#if a}} y{{/if}}](z)': [['a', { href: 'z' }, 'x', { if: tag, show: [' y'] }]],
      '![x{{#if a}} *y*{{/if}}](z)': [['img', { src: 'z', alt: ['x', { if: tag, show: [' y'] }] }]],
      '{{#if a}}[x](y){{/if}}': [{ if: tag, show: [['a', { href: 'y' }, 'x']] }],
      'x {{#if a}}\ny{{else}}\nz\n{{/if}}': ['x ', { if: tag, show: ['\ny'], else: ['\nz\n'] }],
    };
    expect(inlines(Object.keys(expected))).toEqual(expected);
  });

  it('never begins an element in a branch and ends it outside', () => {
    const expected: Record<string, RichNode[]> = {
      '**{{#if a}}b**{{/if}}': ['**', { if: tag, show: ['b**'] }],
      '{{#if a}}**b{{/if}}**': [{ if: tag, show: ['**b'] }, '**'],
      '{{#if a}}*b{{else}}c*{{/if}}': [{ if: tag, show: ['*b'], else: ['c*'] }],
      '`x {{#if a}}b` c{{/if}}': ['`x ', { if: tag, show: ['b` c'] }],
      '[x {{#if a}}b](c){{/if}}': ['[x ', { if: tag, show: ['b](c)'] }],
      '{{#if a}}[x{{/if}}](c)': [{ if: tag, show: ['[x'] }, '](c)'],
      '<https://{{#if a}}b>{{/if}}': ['<https://', { if: tag, show: ['b>'] }],
    };
    expect(inlines(Object.keys(expected))).toEqual(expected);
  });

  it('parses conditions of blocks when each tag has its own line', () => {
    const expected: Record<string, RichText> = {
      'x\n{{#if a}}\n# y\n\nz\n{{/if}}\nw': [
        ['p', 'x'],
        {
          if: tag,
          show: [
            ['h1', 'y'],
            ['p', 'z'],
          ],
        },
        ['p', 'w'],
      ],
      '{{#if a}}\n- x\n  {{else if b}}  \n> y\n{{else}}\n{{/if}}': [
        {
          if: tag,
          show: [['ul', ['li', 'x']]],
          else: [{ if: { prop: 'b' }, show: [['blockquote', ['p', 'y']]], else: [] }],
        },
      ],
      '{{#if a}}\n{{#if b}}\nx\n{{/if}}\n{{/if}}': [{ if: tag, show: [{ if: { prop: 'b' }, show: [['p', 'x']] }] }],
      '- x\n  {{#if a}}\n  y\n  {{/if}}\n- z': [['ul', ['li', 'x', { if: tag, show: [['p', 'y']] }], ['li', 'z']]],
      '> {{#if a}}\n> x\n> {{/if}}': [['blockquote', { if: tag, show: [['p', 'x']] }]],
      '```\n{{#if a}}\nx\n{{/if}}\n```': [['pre', { if: tag, show: ['\nx\n'] }]],
    };
    expect(parsedAll(Object.keys(expected))).toEqual(expected);
  });

  it('rejects a condition that goes from one block into another', () => {
    const what = 'begins in one paragraph or item and ends in another: give each of its tags a line of its own';
    expect(problemOf('x {{#if a}}y\n\nz{{/if}}')).toBe(`\`{{#if a}}\` ${what} (line 1, character 3)`);
    const crossing = [
      '{{#if a}}\nx\n\ny{{/if}}',
      '- {{#if a}}x\n- y{{/if}}',
      '- {{#if a}}\n  x\n\n{{/if}}',
      '> {{#if a}}\n\n{{/if}}',
      '# {{#if a}}x\ny{{/if}}',
      '```\n{{#if a}}\n```\n{{/if}}',
      '{{#if a}}\n\nx {{else}} y\n\n{{/if}}',
    ];
    expect(crossing.filter((source) => !problemOf(source).includes(what))).toEqual([]);
  });

  it('rejects wrong tags, and conditions inside an address', () => {
    expect(problemOf('# a\n\n{{#if b}}')).toBe('`{{#if b}}` is never closed with `{{/if}}` (line 3, character 1)');
    const inAddress = [
      '[x](https://a/{{#if b}}c{{/if}})',
      '[x]({{#if b}}c{{else}}d{{/if}})',
      '![x](<a{{#if b}}c{{/if}}>)',
    ];
    expect(new Set(inAddress.map(problemOf))).toEqual(
      new Set(['The address of a link holds a condition: put the whole link into it']),
    );
  });

  it('lists all merge paths', () => {
    const text = parsed('# {{a}}\n[{{b}}](x/{{c}} "{{d}}") ![{{e}}]({{f}})\n\n- {{#if g}}{{delivery "h"}}{{/if}}');
    expect(listMergePaths(text)).toEqual({
      props: ['a', 'c', 'd', 'b', 'f', 'e', 'g'],
      options: ['h'],
      globals: [],
      answers: [],
    });
  });
});

const rejectedAddresses = [
  ...['javascript:alert(1)', 'JavaScript:alert(1)', 'JAVASCRIPT:alert(1)', 'jAvAsCrIpT:alert(1)'],
  ...['javascript:', 'javascript://x/%0aalert(1)'],
  ...['vbscript:x', 'VBScript:x', 'data:text/html,x', 'DATA:text/html;base64,eA==', 'data:image/svg+xml,x'],
  ...['data:,', 'livescript:x', 'mocha:x'],
  ...['file:///etc/passwd', 'blob:https://a/b', 'about:blank', 'view-source:x', 'filesystem:https://a/b'],
  ...['ftp://a', 'ws://a', 'wss://a', 'intent://a', 'sms:1', 'cid:x', 'jar:x', 'x-y+z.1:a', 'ms-word:x'],
  ...['chrome://a', 'resource://a', 'feed:javascript:x', 'urn:a'],
  ...['java\tscript:alert(1)', 'java\nscript:alert(1)', 'java\rscript:alert(1)', '\tjavascript:x'],
  ...['\njavascript:x', '\u0001javascript:x', '\u0000javascript:x', ' javascript:x', 'javascript\t:x'],
  ...['javascript :x', 'javascript\u0000:x', 'java\u0000script:x', '\u001fjavascript:x', '\u007fjavascript:x'],
  ...['\u0085javascript:x', '\u00a0javascript:x', '\u2028javascript:x', '\u3000javascript:x'],
  ...['\ufeffjavascript:x', '\u200bjavascript:x', 'java\u00adscript:x'],
  ...['&#106;avascript:x', '&#x6a;avascript:x', '&#0000106avascript:x', 'javascript&#58;x'],
  ...['javascript&#x3A;x', 'javascript&colon;x', 'java&Tab;script:x', 'java&NewLine;script:x'],
  ...['java&#9;script:x', '&Tab;javascript:x'],
  ...['%6aavascript:x', '\\javascript:x', "'javascript:x", '"javascript:x', 'javascript\\:x', 'ｊavascript:x'],
  ...['javaſcript:x', 'httpſ://a', 'httpss:x', ':x', '::', '', 'a:b', 'a b', 'http://a b'],
];

describe('addresses', () => {
  it('allows only http, https, mailto, tel and relative addresses', () => {
    expect(rejectedAddresses.length).toBeGreaterThan(60);
    expect(rejectedAddresses.filter((address) => isAddress(address, 'href') || isAddress(address, 'src'))).toEqual([]);
    const good = [
      'http://a',
      'HTTPS://a.b/c:d',
      '/a:b',
      './a:b',
      '?a:b&c',
      '#a:b',
      'a/b:c',
      'a',
      '//a.b',
      '用户',
      '%6a',
    ];
    expect(good.filter((address) => !isAddress(address, 'href') || !isAddress(address, 'src'))).toEqual([]);
    const links = ['mailto:a@b.c', 'MailTo:a', 'tel:+491', 'TEL:1'];
    expect(links.map((address) => [isAddress(address, 'href'), isAddress(address, 'src')])).toEqual(
      links.map(() => [true, false]),
    );
  });

  it('creates no link and no image for another scheme, however it is written', () => {
    const ways = (address: string) => [
      `[a](${address})`,
      `[a](<${address}>)`,
      `![a](${address})`,
      `[a](${address} "b")`,
    ];
    const made = rejectedAddresses.flatMap(ways).filter((source) => {
      const text = parseMarkdown(source);
      return !('problem' in text) && addressesIn(text).some((address) => rejectedAddresses.includes(address));
    });
    expect(made).toEqual([]);
  });

  it('describes a rejected address to the author', () => {
    expect(problemOf('[a](javascript:alert(1))')).toBe(
      'A link needs an address that is http, https, mailto, tel or relative: `javascript:alert(1)`',
    );
    expect(problemOf('![a](mailto:b)')).toBe('An image needs an address that is http, https or relative: `mailto:b`');
    expect(problemOf('[a](javascript:{{b}})')).toContain('`javascript:{{…}}`');
    expect(problemOf('[a](java{{b}}:x)')).toContain('A link needs an address');
    expect(problemOf('[a]()')).toContain('A link needs an address');
  });

  it('allows only addresses that are safe in a browser', () => {
    const signs = [
      ...'jJavscript:/\\?#&;% \t\n\r\0\u0001\u00a0\u2028ſK.+-@[]',
      'http',
      'https:',
      'javascript:',
      'data:',
    ];
    const anyAddress = fc.oneof(
      fc.string({ unit: fc.constantFrom(...signs), maxLength: 12 }),
      fc.tuple(fc.constantFrom(...rejectedAddresses), fc.string({ unit: 'binary' })).map((parts) => parts.join('')),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(anyAddress, (address) => {
        if (isAddress(address, 'href')) expect(safe).toContain(schemeOf(address));
        if (isAddress(address, 'src')) expect(['https:', 'http:', 'none']).toContain(schemeOf(address));
      }),
      { numRuns: randomRuns(2000) },
    );
  });

  it('encodes a value as data of one part', () => {
    const href = (source: string, v: unknown) => addressesIn(resolved(`[x](${source})`, { v }))[0];
    expect(href('https://a/{{v}}/c', 'b/../?d=1&e#f g')).toBe('https://a/b%2F..%2F%3Fd%3D1%26e%23f%20g/c');
    expect(href('https://a/?q={{v}}', 'Ann & "Bo" <é>')).toBe('https://a/?q=Ann%20%26%20%22Bo%22%20%3C%C3%A9%3E');
    expect(href('https://a/{{v}}', '\ud800\u0000')).toBe('https://a/%EF%BF%BD%00');
    expect(href('https://a/{{v | fallback: "a b"}}', undefined)).toBe('https://a/a%20b');
    expect(href('https://a/{{v}}', [1, 'b'])).toBe('https://a/1%2C%20b');
    expect(href('mailto:{{v}}', 'ann+x@b.c?cc=d')).toBe('mailto:ann+x@b.c%3Fcc%3Dd');
    expect(href('tel:{{v}}', '+49 1')).toBe('tel:+49%201');
    expect(href('/{{v}}', '/evil.example')).toBe('/%2Fevil.example');
  });

  it('allows a value at the start of an address, or as all of it, when it is allowed', () => {
    const source = '[x]({{v}})';
    expect(resolved(source, { v: 'https://a.b/c?d=e' })).toEqual([['p', ['a', { href: 'https://a.b/c?d=e' }, 'x']]]);
    expect(resolved('[x]({{v}}/d)', { v: 'https://a.b' })).toEqual([['p', ['a', { href: 'https://a.b/d' }, 'x']]]);
    const wrong = [...rejectedAddresses, undefined, null, {}].filter((v) => {
      return JSON.stringify(resolved(source, { v })) !== '[["p","x"]]';
    });
    expect(wrong).toEqual([]);
    expect(resolved('![x *y*]({{v}})', { v: 'javascript:z' })).toEqual([['p', 'x y']]);
    expect(resolved('[x]({{v | fallback: "javascript:y"}})', {})).toEqual([['p', 'x']]);
  });

  it('keeps the scheme for any values, resolved in one or two steps', () => {
    const values = fc.oneof(
      fc.constantFrom(
        ...rejectedAddresses,
        'java',
        'script',
        'javascript',
        ':',
        'alert(1)',
        '\t',
        '//',
        'data',
        'https',
      ),
      fc.string({ unit: 'binary' }),
      fc.jsonValue({ maxDepth: 1 }),
    );
    const piece = fc.constantFrom(
      '{{a}}',
      '{{b}}',
      '{{c}}',
      ':',
      '/',
      'java',
      'script',
      'https://x',
      'x',
      '?',
      '&',
      'mailto:',
    );
    const address = fc.array(piece, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));
    const known = fc.subarray(['a', 'b', 'c']);
    let used = 0;
    fc.assert(
      fc.property(address, fc.record({ a: values, b: values, c: values }), known, (written, input, first) => {
        const text = parseMarkdown(`[x](${written}) ![y](${written})`);
        if ('problem' in text) return;
        const lookup: Lookup = (_, path) => valueAt(input, path);
        const half = resolve(text, (of, path) => (first.includes(path) ? lookup(of, path) : later));
        for (const addresses of [addressesIn(resolve(text, lookup)), addressesIn(resolve(half, lookup))]) {
          used += addresses.length;
          expect(addresses.filter((one) => !safe.includes(schemeOf(one)))).toEqual([]);
        }
      }),
      { numRuns: randomRuns(1000) },
    );
    expect(used).toBeGreaterThan(randomRuns(500));
  });

  it('checks addresses again even without values', () => {
    const forged: RichText = [
      ['a', { href: 'javascript:x' }, 'a'],
      ['img', { src: 'data:x', alt: 'b' }],
    ];
    expect(resolve(forged, () => undefined)).toEqual(['ab']);
  });
});

describe('resolve', () => {
  it('fills in values in every part of a tree', () => {
    const source = '3. {{a}}\n4. [{{a}}](x/{{a}} "{{a}}") ![{{a}}](y/{{a}} "{{a}}")\n\n{{#if a}}\n# {{a}}\n{{/if}}';
    expect(resolved(source, { a: '<b>' })).toEqual([
      [
        'ol',
        { start: 3 },
        ['li', '<b>'],
        [
          'li',
          ['a', { href: 'x/%3Cb%3E', title: '<b>' }, '<b>'],
          ' ',
          ['img', { src: 'y/%3Cb%3E', alt: '<b>', title: '<b>' }],
        ],
      ],
      ['h1', '<b>'],
    ]);
  });

  it('removes an element that has lost all its content', () => {
    const source = '{{a}}\n\n- {{a}}\n\n> **{{a}}**\n\n{{#if a}}x{{/if}}\n{{#if a}}y{{/if}}\n\n---';
    expect(resolved(source, {})).toEqual([['hr']]);
  });

  it('keeps tags whose values only the page knows', () => {
    const text = parsed('{{a}} [x]({{a}}/{{b}}/{{a}} "{{b}}")\n{{#if b}}\n- {{a}}\n{{/if}}');
    const half = resolve(text, (_, path) => (path === 'a' ? 'https://v' : later));
    const tag = { prop: 'b' };
    expect(half).toEqual([
      ['p', 'https://v ', ['a', { href: ['https://v/', tag, '/https%3A%2F%2Fv'], title: [tag] }, 'x']],
      { if: tag, show: [['ul', ['li', 'https://v']]] },
    ]);
    expect(resolve(half, () => 'w')).toEqual([
      ['p', 'https://v ', ['a', { href: 'https://v/w/https%3A%2F%2Fv', title: 'w' }, 'x']],
      ['ul', ['li', 'https://v']],
    ]);
  });

  it('returns Markdown without tags unchanged', () => {
    fc.assert(
      fc.property(nearlyMarkdown, (source) => {
        const text = parseMarkdown(source.replaceAll('{{', ''));
        if (!('problem' in text)) expect(resolve(text, () => 'x')).toEqual(text);
      }),
      { numRuns: randomRuns(400) },
    );
  });
});

describe('parseMarkdown', () => {
  it('returns a shallow tree of known elements, or a problem, for any text', () => {
    let trees = 0;
    fc.assert(
      fc.property(nearlyMarkdown, (source) => {
        const text = parseMarkdown(source);
        if ('problem' in text) {
          expect(text.problem).not.toBe('');
          return;
        }
        trees++;
        expect(JSON.parse(JSON.stringify(text))).toEqual(text);
        expect(namesIn(text).filter((name) => !names.has(name))).toEqual([]);
        expect(leftOpen(resolve(text, () => undefined))).toBe(false);
      }),
      { numRuns: randomRuns(2000) },
    );
    expect(trees).toBeGreaterThan(randomRuns(500));
  });

  it('returns any text with escaped signs unchanged', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), nearlyMarkdown), (input) => {
        const line = input.replace(/[\s\ufdd0]+/g, ' ').trim();
        const source = line.replace(/[!-/:-@[-`{-~]/g, '\\$&');
        expect(plainText(parsed(source))).toBe(line);
      }),
      { numRuns: randomRuns(600) },
    );
  });

  it.each(
    [
      ...['*', '_', '~', '`', '[', ']', '![', '<', '>', '> ', '- ', '1. ', '#', '# ', '\\', '(', '\n', ' '],
      ...['-', '{{', '&'],
      ...['*a ', '*a **b ', '*a _b ', '_a *b* ', '**a *b** c* ', '***a** b', '*a*', 'a**b', '*a _b* c_ ', '~~a ~~'],
      ...['[a](', '[a](b', '[a](b "', '[a](<', '[a](b)', '![a](b)', '[[a](b)', '](b)', '[a](b('],
      ...["[a](b '\\'", '![[a](b)'],
      ...['<https://', '<https://a>', '<a:', '`` ` ', '`a``b```c', '\\`', 'a  \n', 'a\\\n', '\n\n', 'a\n\n'],
      ...['> a\n', '- a\n', '1. a\n'],
      ...['- - a\n', '  - a\n', '> - ', '```\n', '~~~\na\n', '# #', '---\n', '\ta\n', '{{a}}', '{{a}}\n\n'],
      ...['[{{a}}]({{a}})', '\ufdd0'],
      ...['{{#if a}}*b*{{/if}}', '{{#if a}}\nb\n{{/if}}\n', '- a\n{{#if a}}\n', '*{{#if a}}b*{{/if}}', '{{#if a}}\n'],
    ].map((piece) => [piece]),
  )('parses 200,000 characters of %j in time', (piece) => {
    const source = piece.repeat(Math.ceil(200_000 / piece.length));
    const text = parseMarkdown(`${source}*b*](c)`);
    if ('problem' in text) expect(text.problem.length).toBeLessThan(300);
    else expect(JSON.stringify(resolve(text, () => 'v')).length).toBeGreaterThan(0);
  });

  it('limits the depth of the tree', () => {
    const within = (open: string, close: string) => open.repeat(600) + close.repeat(600);
    const texts = [
      within('*a **b ', 'c** d*'),
      within('*a _b ', 'c_ d*'),
      within('![', '](a)'),
      within('[![', '](a)](b)'),
      within('> ', ''),
      within('- ', ''),
      within('> 1. ', ''),
      `${'{{#if a}}'.repeat(20)}${within('**a *b ', 'c* d** ')}${'{{/if}}'.repeat(20)}`,
    ];
    expect(texts.map((source) => depthOf(parsed(source))).filter((depth) => depth > 120)).toEqual([]);
    const spaced = Array.from({ length: 500 }, (_, at) => `${' '.repeat(2 * at)}- a`).join('\n');
    expect(depthOf(parsed(spaced))).toBeLessThan(50);
  });
});

describe('parseBlocks', () => {
  const sourcesOf = (source: string) => {
    const blocks = parseBlocks(source);
    if ('problem' in blocks) throw new Error(blocks.problem);
    return blocks.map(({ from, to }) => source.slice(from, to));
  };

  it('says where each block is in the source, without the blank lines around it', () => {
    expect(sourcesOf('\n# a\r\nb\\{{\r\nc\r\n\r\n\r\n- d\n\n- e {{f\n}} g\n\n  \n> h\n')).toEqual([
      '# a',
      'b\\{{\r\nc',
      '- d\n\n- e {{f\n}} g',
      '> h',
    ]);
    expect(sourcesOf('{{#if a}}\nb\n{{/if}}\nc')).toEqual(['{{#if a}}\nb\n{{/if}}', 'c']);
    // Blank lines are part of code that is never closed.
    expect(sourcesOf('~~~\na\n\n')).toEqual(['~~~\na\n\n']);
  });

  it('reads the same from each block as from the whole text', () => {
    fc.assert(
      fc.property(nearlyMarkdown, (source) => {
        const text = parseMarkdown(source);
        if ('problem' in text) return;
        expect(sourcesOf(source).flatMap(parsed)).toEqual(text);
      }),
      { numRuns: randomRuns(1000) },
    );
  });
});
