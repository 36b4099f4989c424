import { type CaptureTheme, keysOf, type RichElement, type RichNode, type RichText } from '@usher/domain';
import { Markup, markup } from './markup.ts';
import { type Picture, type PicturePart, testText } from './picture.ts';
import { contentOf, flow, type Piece, type Run, runsOf, type Style, shorten, widthOf } from './text-flow.ts';
import { asStyle, colorRules, type ThemedRule } from './theme-css.ts';

const style = new Markup(`
.page { fill: #eef1f6 } .shade { fill: #4a5163; fill-opacity: .45 } .card { fill: #fff; stroke: #d9dee8 } .soft { fill: #f4f6fa; stroke: #d9dee8 }
.line { stroke: #d9dee8 } .accent { fill: #3b5bdb } .pill { fill: #e7ecff } text { fill: #1c2433; font-family: system-ui, -apple-system,
"Segoe UI", Roboto, "DejaVu Sans", sans-serif } .dim { fill: #5b6475 } .link { fill: #3b5bdb; text-decoration: underline }
.tag { fill: #2f48b0 } .on { fill: #fff } .bold { font-weight: 600 } .italic { font-style: italic } .strike { text-decoration: line-through }
.code { font-family: ui-monospace, "DejaVu Sans Mono", monospace }
@media (prefers-color-scheme: dark) { .page { fill: #12151c } .shade { fill: #000 } .card { fill: #1e232e; stroke: #343b4a }
.soft { fill: #272d3a; stroke: #343b4a } .line { stroke: #343b4a } .accent { fill: #7f97ff } .pill { fill: #2b3560 } text { fill: #eceff5 }
.dim { fill: #9aa4b8 } .link { fill: #7f97ff } .tag { fill: #c3ceff } .on { fill: #10131a } }
`);

const themed: readonly ThemedRule[] = [
  ['background', (value) => `.card,.soft{fill:${value}}`],
  ['text', (value) => `text,.dim{fill:${value}}`],
  ['border', (value) => `.card,.soft,.line{stroke:${value}}`],
  ['button_highlight', (value) => `.accent{fill:${value}}`],
  ['button_text', (value) => `.on{fill:${value}}`],
  ['secondary_button_highlight', (value) => `.soft{fill:${value}}`],
  ['link', (value) => `.link{fill:${value}}`],
];

function themeRules(theme: CaptureTheme): Markup {
  return asStyle(
    colorRules(theme, themed),
    theme.font === undefined ? '' : `text:not(.code){font-family:${theme.font}}`,
  );
}

const SIZE = 15;
const LINE = 22;
const PADDING = 24;
const MARGIN = 32;
const BUTTON_GAP = 8;
const widths: Record<Picture['frame'], number> = {
  modal: 520,
  slideout: 420,
  card: 420,
  tooltip: 340,
  launcher: 360,
  banner: 860,
};

export function renderSvg({ name, frame, hasBackdrop, parts, opener, theme }: Picture): string {
  const width = widths[frame];
  const drawing = new Drawing(MARGIN + PADDING, MARGIN + PADDING, width - 2 * PADDING, theme.buttonRadius);
  for (const part of parts) drawing.part(part);
  const bottom = Math.max(drawing.y, MARGIN + 2 * PADDING) + PADDING - 4;
  const center = MARGIN + width / 2;
  const tip =
    frame === 'tooltip'
      ? markup`<path class="card" d="M${center - 10} ${MARGIN} l10 -10 l10 10 z"/><path class="card" stroke-width="0" d="M${center - 9} ${MARGIN + 1} l9 -9 l9 9 z"/>`
      : '';
  const opening = opener ? drawOpener(opener, center, bottom + 16) : '';
  const [wide, high] = [width + 2 * MARGIN, Math.round(bottom + MARGIN + (opener ? 62 : 0))];
  const shade = hasBackdrop ? markup`<rect class="shade" width="${wide}" height="${high}"/>` : '';
  return markup`<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${high}" viewBox="0 0 ${wide} ${high}" role="img">
<title>${name}</title>
<style>${style}${themeRules(theme)}</style>
<rect class="page" width="${wide}" height="${high}"/>${shade}
<rect class="card" x="${MARGIN}" y="${MARGIN}" width="${width}" height="${round(bottom - MARGIN)}" rx="${theme.radius ?? 14}"/>${tip}
${drawing.drawn}
${opening}</svg>
`.text;
}

function drawOpener(text: RichText, center: number, y: number): Markup {
  const [line = []] = flow(runsOf(text, { bold: true }), 280, SIZE);
  const width = Math.max(46, widthOfLine(line) + 32);
  return markup`<rect class="accent" x="${round(center - width / 2)}" y="${y}" width="${round(width)}" height="46" rx="23"/>
${drawLine(line, center - widthOfLine(line) / 2, y + 28, SIZE, 'on')}`;
}

/** Draws the parts from top to bottom. */
class Drawing {
  readonly drawn: Markup[] = [];
  readonly #x: number;
  readonly #width: number;
  /** Of buttons; undefined without a theme. */
  readonly #radius: string | undefined;
  y: number;

  constructor(x: number, y: number, width: number, radius: string | undefined) {
    this.#radius = radius;
    this.#x = x;
    this.y = y;
    this.#width = width;
  }

  part(part: PicturePart): void {
    switch (part.kind) {
      case 'title':
        this.#text(runsOf(part.text, { bold: true }), { size: 19, line: 26 });
        this.y += 6;
        break;
      case 'note':
        this.#text(runsOf(part.text, { dim: true }));
        this.y += 10;
        break;
      case 'body':
        this.#blocks(part.text, 0, {});
        break;
      case 'media':
        this.#field({ kind: 'field', text: part.text, lines: 3 });
        break;
      case 'scale':
        this.#scale(part);
        break;
      case 'field':
        this.#field(part);
        break;
      case 'choices':
        this.y += 6;
        for (const text of part.texts) this.#box(text);
        break;
      case 'buttons':
        this.#buttons(part);
        break;
      case 'item':
        this.#item(part);
        break;
      case 'divider':
        this.y += 8;
        this.#text(runsOf(part.text ?? [], { dim: true, bold: true }), { size: 12, line: 20 });
        break;
    }
  }

  #text(
    runs: readonly Run[],
    { size = SIZE, line = LINE, indent = 0, keepsLines = false }: Partial<Typesetting> = {},
  ): void {
    for (const pieces of flow(runs, this.#width - indent, size, keepsLines)) {
      this.drawn.push(drawLine(pieces, this.#x + indent, this.y + line * 0.72, size));
      this.y += line;
    }
  }

  /** Draws blocks. Text between blocks is a paragraph. */
  #blocks(text: RichText, indent: number, style: Style): void {
    let words: RichNode[] = [];
    const flush = () => {
      if (runsOf(words).some((run) => run.text.trim() !== '')) this.#text(runsOf(words, style), { indent });
      words = [];
    };
    for (const node of text) {
      const isBlock = typeof node === 'object' && (Array.isArray(node) ? blocks.has(node[0]) : holdsBlocks(node));
      if (!isBlock) {
        words.push(node);
        continue;
      }
      flush();
      if (Array.isArray(node)) this.#block(node, indent, style);
      else if ('if' in node) {
        const fork = (word: string) => this.#text([{ text: word, style: { pill: true } }], { indent });
        fork(testText(node.if));
        this.#blocks(node.show, indent, style);
        if (node.else) {
          fork('{{else}}');
          this.#blocks(node.else, indent, style);
        }
        fork('{{/if}}');
      }
    }
    flush();
  }

  #block(element: RichElement, indent: number, style: Style): void {
    const [name] = element;
    const content = contentOf(element);
    if (name === 'hr') {
      this.drawn.push(this.#rule(indent));
      this.y += 14;
    } else if (name === 'ul' || name === 'ol') {
      const first = element[1];
      const start = typeof first === 'object' && 'start' in first ? Number(first.start) : 1;
      for (const [index, item] of content.entries()) {
        const mark = name === 'ul' ? '•' : `${start + index}.`;
        this.drawn.push(
          drawLine(
            flow([{ text: mark, style: {} }], 60, SIZE)[0] ?? [],
            this.#x + indent + 4,
            this.y + LINE * 0.72,
            SIZE,
          ),
        );
        this.#blocks(Array.isArray(item) ? contentOf(item) : [item], indent + 24, style);
      }
      this.y += 6;
    } else if (name === 'blockquote') {
      const from = this.y;
      this.#blocks(content, indent + 14, { ...style, dim: true });
      this.drawn.push(
        markup`<rect class="line" x="${this.#x + indent}" y="${round(from)}" width="1" height="${round(this.y - from - 6)}"/>`,
      );
    } else if (name === 'pre') {
      const from = this.drawn.length;
      const top = this.y;
      this.y += 8;
      this.#text(runsOf(content, { ...style, code: true }), {
        size: 13,
        line: 19,
        indent: indent + 10,
        keepsLines: true,
      });
      this.y += 8;
      const box = this.#rect('soft', this.#x + indent, top, this.#width - indent, this.y - top, 6);
      this.drawn.splice(from, 0, box);
      this.y += 10;
    } else {
      const isHeading = /^h[1-6]$/.test(name);
      const size = isHeading ? 16 : SIZE;
      if (isHeading) this.y += 4;
      this.#text(runsOf(content, isHeading ? { ...style, bold: true } : style), { size, indent });
      this.y += 8;
    }
  }

  #scale({ points, low, high }: Extract<PicturePart, { kind: 'scale' }>): void {
    this.y += 10;
    const gap = 6;
    const width = (this.#width - gap * (points.length - 1)) / points.length;
    for (const [index, point] of points.entries()) {
      const x = this.#x + index * (width + gap);
      this.drawn.push(this.#rect('soft', x, this.y, width, 38, 8));
      this.#centered([{ text: point, style: { bold: true } }], x, width, this.y + 24);
    }
    this.y += 44;
    if (low || high) {
      const half = this.#width / 2 - 8;
      const [left, right] = [low, high].map((text) => flow(runsOf(text ?? [], { dim: true }), half, 13));
      for (const [index, line] of (left ?? []).entries())
        this.drawn.push(drawLine(line, this.#x, this.y + 14 + index * 18, 13));
      for (const [index, line] of (right ?? []).entries())
        this.drawn.push(drawLine(line, this.#x + this.#width - widthOfLine(line), this.y + 14 + index * 18, 13));
      this.y += 18 * Math.max(left?.length ?? 0, right?.length ?? 0) + 4;
    }
  }

  #field({ text, lines }: Extract<PicturePart, { kind: 'field' }>): void {
    this.y += 8;
    const height = lines === 3 ? 84 : 40;
    this.drawn.push(this.#rect('soft', this.#x, this.y, this.#width, height, 8));
    const [line = []] = flow(runsOf(text, { dim: true }), this.#width - 44, SIZE);
    this.drawn.push(drawLine(line, this.#x + 12, this.y + 25, SIZE));
    if (lines === 'choice') {
      const x = this.#x + this.#width - 24;
      this.drawn.push(markup`<path class="dim" d="M${round(x)} ${round(this.y + 17)} l10 0 l-5 7 z"/>`);
    }
    this.y += height + 6;
  }

  #box(text: RichText): void {
    const lines = flow(runsOf(text), this.#width - 28, SIZE);
    const height = lines.length * LINE + 16;
    this.drawn.push(this.#rect('soft', this.#x, this.y, this.#width, height, 8));
    for (const [index, line] of lines.entries())
      this.drawn.push(drawLine(line, this.#x + 14, this.y + 24 + index * LINE, SIZE));
    this.y += height + 8;
  }

  /** The buttons are at the end of the line, the primary one last. The link to dismiss is at the start, if there is room. */
  #buttons({ texts, dismiss }: Extract<PicturePart, { kind: 'buttons' }>): void {
    this.y += 10;
    const link = dismiss ? fitLine(dismiss, this.#width, { dim: true }) : [];
    const last = texts.length - 1;
    const buttons = texts.map((text, index) => {
      const line = fitLine(text, this.#width - 32, { bold: true });
      return { line, width: widthOfLine(line) + 32, isPrimary: index === last };
    });
    const rows = this.#rowsOf(buttons);
    const hasRoom = widthOfLine(link) + 16 + rowWidth(rows[0] ?? []) <= this.#width;
    if (link.length > 0) this.drawn.push(drawLine(link, this.#x, this.y + 25, SIZE));
    if (link.length > 0 && !hasRoom) this.y += 44;
    for (const [at, row] of rows.entries()) {
      if (at > 0) this.y += 48;
      let x = this.#x + this.#width - rowWidth(row);
      for (const { line, width, isPrimary } of row) {
        this.drawn.push(this.#rect(isPrimary ? 'accent' : 'soft', x, this.y, width, 40, 8));
        this.drawn.push(drawLine(line, x + 16, this.y + 25, SIZE, isPrimary ? 'on' : ''));
        x += width + BUTTON_GAP;
      }
    }
    this.y += 44;
  }

  #rowsOf<Of extends { width: number }>(buttons: readonly Of[]): Of[][] {
    const rows: Of[][] = [];
    for (const button of buttons) {
      const row = rows.at(-1);
      if (row && rowWidth([...row, button]) <= this.#width) row.push(button);
      else rows.push([button]);
    }
    return rows;
  }

  #item({ mark, title, text }: Extract<PicturePart, { kind: 'item' }>): void {
    this.drawn.push(this.#rule(0));
    this.y += 10;
    const [x, y] = [this.#x, this.y];
    this.drawn.push(
      mark === 'box'
        ? markup`<circle class="soft" cx="${x + 9}" cy="${round(y + 11)}" r="8" stroke-width="2"/>`
        : markup`<path class="accent" d="M${x + 5} ${round(y + 5)} l7 6 l-7 6 z"/>`,
    );
    this.#text(runsOf(title, { bold: true }), { indent: 30 });
    if (text) this.#text(runsOf(text, { dim: true }), { indent: 30, size: 13, line: 19 });
    this.y += 10;
  }

  #centered(runs: Run[], x: number, width: number, y: number): void {
    const [line = []] = flow(runs, width, SIZE);
    this.drawn.push(drawLine(line, x + (width - widthOfLine(line)) / 2, y, SIZE));
  }

  #rule(indent: number): Markup {
    const y = round(this.y);
    return markup`<line class="line" x1="${this.#x + indent}" y1="${y}" x2="${this.#x + this.#width}" y2="${y}"/>`;
  }

  #rect(kind: string, x: number, y: number, width: number, height: number, radius: number): Markup {
    return markup`<rect class="${kind}" x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="${this.#radius ?? radius}"/>`;
  }
}

interface Typesetting {
  size: number;
  line: number;
  indent: number;
  keepsLines: boolean;
}

const blocks = new Set<string>('p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre hr'.split(' '));

function holdsBlocks(node: RichNode): boolean {
  if (typeof node === 'string') return false;
  if (Array.isArray(node)) return blocks.has(node[0]);
  return 'if' in node && [...node.show, ...(node.else ?? [])].some(holdsBlocks);
}

/** Fits a text into one line, and shortens it if needed. */
function fitLine(text: RichText, width: number, style: Style): Piece[] {
  const [line = [], ...more] = flow(runsOf(text, style), width, SIZE);
  const last = line.at(-1);
  if (more.length > 0 && last) {
    last.text = shorten(`${last.text.trimEnd()} …`, width - last.x, SIZE, last.style);
    last.width = widthOf(last.text, SIZE, last.style);
  }
  return line;
}

function rowWidth(row: readonly { width: number }[]): number {
  return row.reduce((sum, { width }) => sum + width + BUTTON_GAP, -BUTTON_GAP);
}

function widthOfLine(line: readonly Piece[]): number {
  const last = line.at(-1);
  return last ? last.x + last.width : 0;
}

function drawLine(line: readonly Piece[], x: number, y: number, size: number, kind = ''): Markup {
  return markup`${line.filter(({ text }) => text.trim() !== '').map((piece) => drawPiece(piece, x, y, size, kind))}`;
}

/** Stretches the text to the calculated width, so that nothing overlaps with any font. */
function drawPiece({ text, style, x: at, width }: Piece, x: number, y: number, size: number, kind: string): Markup {
  const start = text.length - text.trimStart().length;
  const shown = text.trim();
  const inner = widthOf(shown, size, { ...style, pill: false });
  const left = x + at + (style.pill ? 6 : widthOf(text.slice(0, start), size, style));
  const box = style.pill
    ? markup`<rect class="pill" x="${round(x + at)}" y="${round(y - size * 0.95)}" width="${round(width)}" height="${round(size * 1.3)}" rx="${round(size * 0.65)}"/>`
    : style.code
      ? markup`<rect class="soft" stroke-width="0" x="${round(left - 2)}" y="${round(y - size)}" width="${round(inner + 4)}" height="${round(size * 1.35)}" rx="4"/>`
      : '';
  const names = keysOf(style).filter((name) => name !== 'pill' && style[name]);
  const classes = [...names, style.pill ? 'tag' : kind].filter((name) => name !== '').join(' ');
  return markup`${box}<text class="${classes}" x="${round(left)}" y="${round(y)}" font-size="${size}" textLength="${round(inner)}" lengthAdjust="spacingAndGlyphs">${shown}</text>
`;
}

function round(number: number): number {
  return Math.round(number * 10) / 10;
}
