import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRuns } from '../../test/random-runs.ts';
import { scopeCss } from './theme-css.ts';

const scoped = (css: string) => scopeCss(css, 't1');

describe('the style sheet of a theme', () => {
  it('holds for the box and what is in it', () => {
    expect(scoped('.title { color: red; letter-spacing: 1px }\n& { border-style: dashed }')).toEqual({
      css: '.t1 .title{color:red;letter-spacing:1px}.t1{border-style:dashed}',
    });
    expect(scoped('&.box .body > p, .act:is(:hover, :focus) { font-style: italic; }')).toEqual({
      css: '.t1.box .body > p,.t1 .act:is(:hover, :focus){font-style:italic}',
    });
  });

  it('has conditions, texts and comments', () => {
    const css = '/* {} */ @media (max-width: 400px) { .title { color: red /* ; } */ } }\n.body:after { content: "};" }';
    expect(scoped(css)).toEqual({
      css: '@media (max-width: 400px){.t1 .title{color:red}}.t1 .body:after{content:"};"}',
    });
    expect(scoped('')).toEqual({ css: '' });
    expect(scoped('.title{;;color:red;;}')).toEqual({ css: '.t1 .title{color:red}' });
  });

  it.each([
    ['.title {\n  background: url(//evil.test/a.png) }', 2, 3, '`url(…)` cannot be used here'],
    ['.a { background: URL ( x ) }', 1, 6, '`URL (…)` cannot be used here'],
    ['.a { background: image-set("a" 1x) }', 1, 6, '`image-set(…)` cannot be used here'],
    ['@import "//evil.test/a.css";', 1, 1, '`@import` cannot be used here'],
    ['@font-face { font-family: a }', 1, 1, '`@font-face` cannot be used here'],
    ['@keyframes a { from { top: 0 } }', 1, 1, '`@keyframes` cannot be used here'],
    ['@layer a { .b { color: red } }', 1, 1, '`@layer` cannot be used here'],
    ['a { color: red }\n:host { display: none }', 2, 1, '`:host` cannot be used: rules hold inside of the box only'],
    [':HOST-context(body) a { color: red }', 1, 1, '`:HOST` cannot be used: rules hold inside of the box only'],
    ['body { color: red }', 1, 1, '`body` cannot be used: rules hold inside of the box only'],
    ['.x { display: none }', 1, 1, 'the button to close cannot be changed'],
    ['& ~ .box { color: red }', 1, 1, '`& ~ .box` cannot be used: rules hold inside of the box only'],
    ['+ .box { color: red }', 1, 1, '`+ .box` cannot be used: rules hold inside of the box only'],
    ['.a & { color: red }', 1, 1, '`&` can only stand at the beginning: it is the box itself'],
    ['& { display: none }', 1, 5, '`display` of the box itself cannot be changed here'],
    ['&.box:not(.a b) { transform: none }', 1, 19, '`transform` of the box itself cannot be changed here'],
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

  it('never lets a rule out of its box, whatever is written', () => {
    const piece = fc.constantFrom(
      ...['.a', '&', ':host', '{', '}', ';', ':', 'color', 'red', '(', ')', '[', ']', '"', "'", '/*', '*/', '\\', ' '],
      ...['@media (a)', '@import', 'url(', ',', '>', '~', '!important', '\n', '<', '--x', '.x', '*', 'top'],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const result = scoped(pieces.join(''));
        if ('problem' in result) return;
        expect(result.css).not.toMatch(/:host|url\(|@import|\\|!important|<|\.x[ {]/);
        for (const [, head = ''] of result.css.matchAll(/(?:^|[{}])([^{}@"]+)\{/g))
          for (const selector of head.split(',')) if (!/[()[\]]/.test(head)) expect(selector.trim()).toMatch(/^\.t1/);
      }),
      { numRuns: randomRuns(2000) },
    );
  });
});
