import {
  type CaptureTheme,
  isAddress,
  parsePicturePath,
  type RichElement,
  type RichNode,
  type RichText,
} from '@usher/domain';
import { Markup, markup } from './markup.ts';
import { type Picture, type PicturePart, tagText, testText } from './picture.ts';
import { asStyle, colorRules, type ThemedRule } from './theme-css.ts';

const style = new Markup(`
:root { color-scheme: light dark; --page: #eef1f6; --dim: #5b6475; --card: #fff; --line: #d9dee8; --ink: #1c2433;
  --soft: #f4f6fa; --accent: #3b5bdb; --on-accent: #fff; --pill: #e7ecff; --pill-ink: #2f48b0; --shade: #1c24331f; }
@media (prefers-color-scheme: dark) { :root { --page: #12151c; --dim: #9aa4b8; --card: #1e232e; --line: #343b4a;
  --ink: #eceff5; --soft: #272d3a; --accent: #7f97ff; --on-accent: #10131a; --pill: #2b3560; --pill-ink: #c3ceff; --shade: #0009; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; padding: 32px 20px; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; display: flex; flex-direction: column;
  align-items: center; justify-content: center; gap: 16px; }
body.backdrop { background: color-mix(in srgb, var(--page) 45%, #4a5163); }
main { position: relative; width: 100%; max-width: 420px; background: var(--card); border: 1px solid var(--line);
  border-radius: 14px; padding: 22px 24px; box-shadow: 0 12px 32px var(--shade); overflow-wrap: anywhere; }
main.modal { max-width: 520px; } main.tooltip { max-width: 340px; padding: 18px 20px; } main.launcher { max-width: 360px; }
main.tooltip::before { content: ""; position: absolute; top: -8px; left: 50%; margin-left: -8px; width: 14px; height: 14px;
  background: inherit; border: 1px solid var(--line); border-width: 1px 0 0 1px; transform: rotate(45deg); }
main.banner { max-width: 860px; border-radius: 10px; padding: 16px 22px; }
h1 { font-size: 19px; line-height: 1.3; margin: 0 0 8px; } main > :last-child { margin-bottom: 0; }
.note { margin: -2px 0 14px; color: var(--dim); }
.body > :first-child { margin-top: 0; } .body > :last-child { margin-bottom: 0; }
.body h1, .body h2, .body h3, .body h4, .body h5, .body h6 { font-size: 16px; margin: 14px 0 6px; } .body p { margin: 0 0 10px; }
.body ul, .body ol { margin: 0 0 10px; padding-left: 22px; } .body blockquote { margin: 0 0 10px; padding-left: 12px;
  border-left: 3px solid var(--line); color: var(--dim); }
code, pre { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .9em; background: var(--soft); border-radius: 5px; }
code { padding: 1px 5px; } pre { padding: 10px 12px; white-space: pre-wrap; } hr { border: 0; border-top: 1px solid var(--line); margin: 14px 0; }
img { max-width: 100%; border-radius: 8px; display: block; margin: 4px 0; }
.image { display: block; padding: 22px 14px; text-align: center; color: var(--dim); background: var(--soft);
  border: 1px dashed var(--line); border-radius: 8px; }
.link { color: var(--accent); text-decoration: underline; }
.tag { display: inline-block; padding: 0 7px; border-radius: 999px; background: var(--pill); color: var(--pill-ink);
  font-size: .86em; line-height: 1.5; }
.buttons { display: flex; flex-wrap: wrap; justify-content: flex-end; gap: 8px; align-items: center; margin-top: 18px; }
.button { padding: 8px 16px; border-radius: 8px; background: var(--soft); border: 1px solid var(--line); font-weight: 600; }
.button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.button .tag { background: #ffffff33; color: inherit; }
.dismiss { color: var(--dim); padding: 8px 4px; margin-right: auto; }
.choices { display: grid; gap: 8px; margin-top: 14px; } .choice { padding: 9px 14px; border: 1px solid var(--line); border-radius: 8px; background: var(--soft); }
.scale { display: flex; gap: 6px; margin-top: 16px; } .point { flex: 1; text-align: center; padding: 8px 0; border: 1px solid var(--line);
  border-radius: 8px; background: var(--soft); font-weight: 600; }
.ends { display: flex; justify-content: space-between; gap: 16px; color: var(--dim); font-size: 13px; margin-top: 6px; }
.field { margin-top: 14px; padding: 9px 12px; border: 1px solid var(--line); border-radius: 8px; color: var(--dim); background: var(--soft); }
.field.long { min-height: 84px; } .field.choice-of::after { content: "▾"; float: right; }
.item { display: flex; gap: 12px; padding: 11px 0; border-top: 1px solid var(--line); } .item b { display: block; font-weight: 600; }
.item small { color: var(--dim); font-size: 13px; } .mark { flex: none; width: 18px; height: 18px; margin-top: 2px; border: 2px solid var(--line); border-radius: 50%; }
.mark.arrow { border: 0; color: var(--accent); line-height: 18px; text-align: center; }
.divider { padding: 14px 0 6px; color: var(--dim); font-size: 12px; letter-spacing: .06em; text-transform: uppercase; }
.opener { align-self: center; min-width: 46px; height: 46px; padding: 0 16px; border-radius: 23px; background: var(--accent); color: var(--on-accent);
  font-weight: 700; display: flex; align-items: center; justify-content: center; box-shadow: 0 6px 18px var(--shade); }
`);

const themed: readonly ThemedRule[] = [
  ['background', (value) => `:root{--card:${value};--soft:${value}}`],
  ['text', (value) => `main{color:${value};--ink:${value};--dim:${value}}`],
  ['border', (value) => `:root{--line:${value}}`],
  ['button_highlight', (value) => `:root{--accent:${value}}`],
  ['button_text', (value) => `:root{--on-accent:${value}}`],
  ['secondary_button_highlight', (value) => `.button:not(.main),.choice,.point{background:${value}}`],
  ['secondary_button_text', (value) => `.button:not(.main),.choice,.point{color:${value}}`],
  ['link', (value) => `.link{color:${value}}`],
];

function themeRules(theme: CaptureTheme): Markup {
  const { radius, buttonRadius, font } = theme;
  return asStyle(
    colorRules(theme, themed),
    radius === undefined ? '' : `main[class]{border-radius:${radius}px}`,
    buttonRadius === undefined ? '' : `.button,.choice,.point,.field{border-radius:${buttonRadius}px}`,
    font === undefined ? '' : `main,.opener{font-family:${font}}`,
  );
}

/** Renders a page without scripts, which loads only images. */
export function renderHtml(picture: Picture): string {
  const { name, frame, hasBackdrop, parts, opener, theme } = picture;
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title>
<style>${style}${themeRules(theme)}</style>
</head>
<body class="${hasBackdrop ? 'backdrop' : 'plain'}">
<main class="${frame}">
${parts.map(drawPart)}
</main>
${opener ? markup`<div class="opener"><span>${draw(opener)}</span></div>` : ''}
</body>
</html>
`.text;
}

function drawPart(part: PicturePart): Markup {
  switch (part.kind) {
    case 'title':
      return markup`<h1>${draw(part.text)}</h1>\n`;
    case 'note':
      return markup`<p class="note">${draw(part.text)}</p>\n`;
    case 'body':
      return markup`<div class="body">${draw(part.text)}</div>\n`;
    case 'media':
      if (part.path === null) return markup`<div class="field long">${draw(part.text)}</div>\n`;
      return markup`<img src="${part.path}" alt="${part.text.filter((node) => typeof node === 'string').join('')}">\n`;
    case 'scale':
      return markup`<div class="scale">${part.points.map((point) => markup`<span class="point">${point}</span>`)}</div>
<div class="ends"><span>${draw(part.low ?? [])}</span><span>${draw(part.high ?? [])}</span></div>\n`;
    case 'field': {
      const kind = part.lines === 'choice' ? 'field choice-of' : part.lines === 3 ? 'field long' : 'field';
      return markup`<div class="${kind}">${draw(part.text)}</div>\n`;
    }
    case 'choices':
      return markup`<div class="choices">${part.texts.map((text) => markup`<span class="choice">${draw(text)}</span>`)}</div>\n`;
    case 'buttons': {
      const dismiss = part.dismiss ? markup`<span class="dismiss">${draw(part.dismiss)}</span>` : '';
      const last = part.texts.length - 1;
      const buttons = part.texts.map((text, index) => {
        const kind = index === last ? 'button main' : 'button';
        return markup`<span class="${kind}">${draw(text)}</span>`;
      });
      return markup`<div class="buttons">${dismiss}${buttons}</div>\n`;
    }
    case 'item': {
      const mark = part.mark === 'box' ? markup`<span class="mark"></span>` : markup`<span class="mark arrow">›</span>`;
      const text = part.text ? markup`<small>${draw(part.text)}</small>` : '';
      return markup`<div class="item">${mark}<span><b>${draw(part.title)}</b>${text}</span></div>\n`;
    }
    case 'divider':
      return markup`<div class="divider">${draw(part.text ?? [])}</div>\n`;
  }
}

function draw(text: RichText): Markup[] {
  return text.map(drawNode);
}

function pill(text: string): Markup {
  return markup`<span class="tag">${text}</span>`;
}

function drawNode(node: RichNode): Markup {
  if (typeof node === 'string') return markup`${node}`;
  if (Array.isArray(node)) return drawElement(node);
  if (!('if' in node)) return pill(tagText(node));
  const otherwise = node.else ? markup`${pill('{{else}}')}${draw(node.else)}` : '';
  return markup`${pill(testText(node.if))}${draw(node.show)}${otherwise}${pill('{{/if}}')}`;
}

/** Draws the content of an unknown element without its tag. */
function drawElement(element: RichElement): Markup {
  const [name, first] = element;
  if (name === 'img') {
    const { src, alt } = element[1];
    const words = typeof alt === 'string' ? [alt] : alt;
    // The policy of the page allows only these images; all others get a placeholder.
    const isShown =
      typeof src === 'string' && (parsePicturePath(src) || (/^https:/i.test(src) && isAddress(src, 'src')));
    if (isShown && typeof alt === 'string') return markup`<img src="${src}" alt="${alt}">`;
    return markup`<span class="image">${draw(words.length > 0 && words[0] !== '' ? words : ['Image'])}</span>`;
  }
  const hasAttributes = typeof first === 'object' && !Array.isArray(first) && ('href' in first || 'start' in first);
  const content = draw(element.slice(hasAttributes ? 2 : 1) as RichText);
  const tag = elements[name];
  return tag ? markup`${tag[0]}${content}${tag[1]}` : markup`${content}`;
}

const pair = (open: string, name = open): [Markup, Markup] => [new Markup(`<${open}>`), new Markup(`</${name}>`)];
const elements: Partial<Record<string, [Markup, Markup]>> = Object.assign(Object.create(null), {
  ...Object.fromEntries(
    'p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre em strong del code'.split(' ').map((name) => [name, pair(name)]),
  ),
  a: pair('span class="link"', 'span'),
  br: [new Markup('<br>'), new Markup('')],
  hr: [new Markup('<hr>'), new Markup('')],
});
