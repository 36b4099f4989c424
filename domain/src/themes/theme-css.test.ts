import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRuns } from '../../test/random-runs.ts';
import { NOT_CLOSE, scopeCss } from './theme-css.ts';

const scoped = (css: string) => scopeCss(css, 't1');
/** A style sheet as it is written, without what keeps each rule off the button to close. */
const withoutGuards = (css: string) => {
  const result = scoped(css);
  return 'css' in result ? { css: result.css.replaceAll(NOT_CLOSE, '') } : result;
};

describe('the style sheet of a theme', () => {
  it('holds for the box and what is in it', () => {
    expect(withoutGuards('.title { color: red; letter-spacing: 1px }\n& { border-style: dashed }')).toEqual({
      css: '.t1 .title{color:red;letter-spacing:1px}.t1{border-style:dashed}',
    });
    expect(
      withoutGuards('&.box .body > p, .act:hover, li:nth-child(2n + 1):first-child { font-style: italic; }'),
    ).toEqual({
      css: '.t1.box .body > p,.t1 .act:hover,.t1 li:nth-child(2n + 1):first-child{font-style:italic}',
    });
  });

  it.each([
    ['*', '.t1 *@'],
    ['button:before', '.t1 button@:before'],
    ['.a > svg path', '.t1 .a > svg path@'],
    ['li:nth-child(2n + 1):hover::after', '.t1 li:nth-child(2n + 1):hover@::after'],
    ['.act::before', '.t1 .act@::before'],
    ['&.box > *', '.t1.box > *@'],
    ['&:hover', '.t1:hover'],
  ])('keeps %s off the button to close', (selector, expected) => {
    expect(scoped(`${selector} { color: red }`)).toEqual({
      css: `${expected.replace('@', NOT_CLOSE)}{color:red}`,
    });
  });

  it('has conditions, texts, functions and comments', () => {
    const css = '/* {} */ @media (max-width: 400px) { .title { color: red /* ; } */ } }\n.body:after { content: "};" }';
    expect(withoutGuards(css)).toEqual({
      css: '@media (max-width: 400px){.t1 .title{color:red}}.t1 .body:after{content:"};"}',
    });
    expect(withoutGuards('.a { width: calc(100% - (2 * var(--pad))); content: "url(x)" }')).toEqual({
      css: '.t1 .a{width:calc(100% - (2 * var(--pad)));content:"url(x)"}',
    });
    expect(withoutGuards('')).toEqual({ css: '' });
    expect(withoutGuards('.title{;;color:red;;}')).toEqual({ css: '.t1 .title{color:red}' });
  });

  it.each([
    ['.title {\n  background: url(//evil.test/a.png) }', 2, 3, '`url(…)` cannot be used here'],
    ['.a { background: URL(x) }', 1, 6, '`URL(…)` cannot be used here'],
    ['.a { background: image-set("a" 1x) }', 1, 6, '`image-set(…)` cannot be used here'],
    ['@import "//evil.test/a.css";', 1, 1, '`@import` cannot be used here'],
    ['@font-face { font-family: a }', 1, 1, '`@font-face` cannot be used here'],
    ['@keyframes a { from { top: 0 } }', 1, 1, '`@keyframes` cannot be used here'],
    ['@layer a { .b { color: red } }', 1, 1, '`@layer` cannot be used here'],
    ['.x { display: none }', 1, 1, 'the button to close cannot be changed'],
    ['& { display: none }', 1, 5, '`display` of the box itself cannot be changed here'],
    ['.a { z-index: 9 }', 1, 6, '`z-index` cannot be used here'],
    ['.a { position: fixed }', 1, 6, '`position` cannot be used here'],
    ['.a { --bg: red }', 1, 6, '`--bg` cannot be used here'],
    ['.a { color: red !important }', 1, 6, '`!important` cannot be used here'],
    ['.a { color: red ! /* */ important }', 1, 6, '`!important` cannot be used here'],
    ['.a { color: \\75rl(x) }', 1, 13, 'a backslash cannot be used here: write the character itself'],
    ['.a { color: red', 1, 16, 'a `}` is missing at the end'],
    ['.a { color: red } }', 1, 19, 'this `}` closes nothing'],
    ['.a { color: rgb(1; 2) }', 1, 18, 'this `;` is inside of brackets that are not closed'],
    ['.a { content: "a\n" }', 1, 15, 'this text is not closed by a quote'],
    ['/* .a { color: red }', 1, 1, 'this comment is not closed by `*/`'],
    ['.a', 1, 1, 'a `{` is missing after this'],
    ['.a { .b { color: red } }', 1, 9, 'rules inside of rules cannot be used here'],
    ['{ color: red }', 1, 1, 'a selector is missing before `{`'],
    ['.a { color }', 1, 6, '`color` is not a declaration: write `property: value`'],
    ['.a { content: "</style>" }', 1, 15, '`<` cannot be used here'],
  ])('rejects %j with its place', (css, line, column, message) => {
    expect(scoped(css)).toEqual({ problem: { line, column, message } });
  });

  it.each([
    `a url(b') {} * {} :is(.box) { background-image: url(https://evil.test/) } c[d=') { color: red }`,
    '[class~=x] { display: none }',
    'a:is(b] { color: red }',
    '[a="("], .other { display: none }',
    '&:is(:not(.q), .zz) { display: none }',
    '&[a="] "] { display: none }',
    '&.box ~ * { display: none }',
    '& ~ .box { color: red }',
    '+ .box { color: red }',
    '.a & { color: red }',
    '&div { color: red }',
    '.a* { color: red }',
    'li:first-childp { color: red }',
    ':host { display: none }',
    ':host-context(body) a { color: red }',
    '::part(a) { color: red }',
    '.x { display: none }',
    '.a.x:hover { display: none }',
    '& { padding: 0 0 0 9000px }',
    '& { border: 900px solid }',
    '& { -webkit-opacity: 0 }',
    '& { display: none }',
    '.a { -webkit-mask-image: none }',
    '.a { clip: rect(0,0,0,0) }',
    '.a { color: rgb(1] }',
    '.a { background: image(x) }',
    '.a { background: u/**/rl(x) }',
    '@media (a) { @import "b"; }',
    '@media "a" { .b { color: red } }',
    '@supports (a: url(b)) { .b { color: red } }',
    '@container (min-width: 1px) { .b { color: red } }',
    '@scope (.box) { .x { display: none } }',
    '@starting-style { .b { opacity: 0 } }',
    '@property --bg { syntax: "*"; inherits: true }',
    '.a:has(.x) { color: red }',
    '&:has(.x) { color: red }',
    '.a:not(.b) { color: red }',
    '.a::part(x) { color: red }',
    '.a { background: u\u200brl(x) }',
    '.a { background: \uff55\uff52\uff4c(x) }',
    '.a { background: u\0rl(x) }',
    '.a { background: IMAGE-SET("a" 1x) }',
    '.a { background: -webkit-image-set("a" 1x) }',
    '.a { background: src("//evil.test") }',
    '.a { background: attr(title type(<url>)) }',
    '.a { POSITION : fixed }',
    '.a { \u00a0position: fixed }',
    '.a { pos/**/ition: fixed }',
    '& { transform: translate(-9999px) }',
    '& { filter: blur(9999px) }',
    '& { overflow: hidden }',
    '& { cursor: none }',
  ])('rejects %j', (css) => {
    expect(scoped(css)).toHaveProperty('problem');
  });

  it.each([
    ['a selector with a long name', `.${'a'.repeat(24)}:not(.a) { color: red }`],
    ['a long value without a function', `.a { color: ${'a'.repeat(30_000)} }`],
    ['a long word before a function', `.a { color: ${'a'.repeat(30_000)} rgb(0 0 0) }`],
  ])('is read fast: %s', (_, css) => {
    const start = performance.now();
    scoped(css);
    expect(performance.now() - start).toBeLessThan(1000);
  });

  it('never lets a rule out of its box, whatever is written', () => {
    const piece = fc.constantFrom(
      ...['.a', '&', ':host', '{', '}', ';', ':', 'color', 'red', '(', ')', '[', ']', '"', "'", '/*', '*/', '\\', ' '],
      ...['@media (a)', '@import', 'url(', ',', '>', '~', '!important', '\n', '<', '--x', '.x', '*', 'top'],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const result = scoped(pieces.join(''));
        if ('problem' in result) return;
        const css = result.css.replaceAll(NOT_CLOSE, '');
        expect(css).not.toMatch(/:host|url\(|@import|\\|!important|<|\.x[ {]/);
        for (const [, head = ''] of css.matchAll(/(?:^|[{}])([^{}@"]+)\{/g))
          for (const selector of head.split(',')) if (!/[()[\]]/.test(head)) expect(selector.trim()).toMatch(/^\.t1/);
      }),
      { numRuns: randomRuns(2000) },
    );
  });
});
