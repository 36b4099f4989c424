import type { RichElement, RichNode, RichText } from '@usher/domain';
import { tagText, testText } from './picture.ts';

/*
 * Breaks text into lines, which SVG cannot do. The server has no fonts, so widths are estimates for a common sans-serif
 * font, and each piece is stretched to the calculated width when it is drawn.
 */

export interface Style {
  bold?: boolean;
  italic?: boolean;
  code?: boolean;
  link?: boolean;
  strike?: boolean;
  /** Whether the run is a merge tag. */
  pill?: boolean;
  dim?: boolean;
}

export interface Run {
  text: string;
  style: Style;
}

/** A run, or a part of one, with its position in a line. */
export interface Piece extends Run {
  x: number;
  width: number;
}

const PILL_MARGIN = 6;
const groups: [RegExp, number][] = [
  [/[ijl.,:;'|!I ()[\]ft]/, 0.32],
  [/[mwMW@%]/, 0.86],
  [/[A-HJ-LN-VX-Z]/, 0.67],
  [/[a-z0-9_\-+="#$*/\\?<>{}~^&]/, 0.57],
];

export function widthOf(text: string, size: number, { bold, code, pill }: Style = {}): number {
  let em = 0;
  for (const character of text) {
    const known = groups.find(([pattern]) => pattern.test(character));
    em += code ? 0.62 : (known?.[1] ?? (character > '\u2e7f' ? 1.05 : 0.6));
  }
  return em * size * (bold ? 1.06 : 1) + (pill ? 2 * PILL_MARGIN : 0);
}

export function runsOf(text: RichText, style: Style = {}): Run[] {
  return text.flatMap((node) => runsOfNode(node, style));
}

function runsOfNode(node: RichNode, style: Style): Run[] {
  const pill = (text: string): Run => ({ text, style: { ...style, pill: true } });
  if (typeof node === 'string') return [{ text: node, style }];
  if (Array.isArray(node)) return runsOfElement(node, style);
  if (!('if' in node)) return [pill(tagText(node))];
  const otherwise = node.else ? [pill('{{else}}'), ...runsOf(node.else, style)] : [];
  return [pill(testText(node.if)), ...runsOf(node.show, style), ...otherwise, pill('{{/if}}')];
}

const styles: Partial<Record<RichElement[0], Style>> = {
  strong: { bold: true },
  em: { italic: true },
  del: { strike: true },
  code: { code: true },
  a: { link: true },
};

function runsOfElement(element: RichElement, style: Style): Run[] {
  const [name] = element;
  if (name === 'br') return [{ text: '\n', style: { code: true } }];
  if (name === 'img') return runsOf(['[', ...[element[1].alt || 'Image'].flat(), ']'], { ...style, dim: true });
  return runsOf(contentOf(element), { ...style, ...styles[name] });
}

/** The content of an element, without its attributes. */
export function contentOf(element: RichElement): RichText {
  const [, first] = element;
  const hasAttributes =
    typeof first === 'object' && !Array.isArray(first) && ('href' in first || 'start' in first || 'src' in first);
  return element.slice(hasAttributes ? 2 : 1) as RichText;
}

/** Breaks runs into lines. Line breaks in the text count only with `keepsLines`; `<br>` always does. */
export function flow(runs: readonly Run[], width: number, size: number, keepsLines = false): Piece[][] {
  const lines: Piece[][] = [[]];
  let x = 0;
  const newLine = () => {
    lines.push([]);
    x = 0;
  };
  const place = (text: string, style: Style, wide: number) => {
    const line = lines.at(-1) as Piece[];
    const last = line.at(-1);
    if (last && last.style === style && !style.pill) {
      last.text += text;
      last.width += wide;
    } else line.push({ text, style, x, width: wide });
    x += wide;
  };
  for (const { text, style } of runs) {
    const words = style.pill ? [shorten(text, width, size, style)] : text.split(/(\s+)/).filter((word) => word !== '');
    for (const word of words) {
      if (!style.pill && /^\s/.test(word)) {
        const breaks = keepsLines || text === '\n' ? word.split('\n').length - 1 : 0;
        for (let count = 0; count < breaks; count++) newLine();
        const space = keepsLines && breaks > 0 ? word.slice(word.lastIndexOf('\n') + 1) : ' ';
        if (space !== '' && (x > 0 || keepsLines) && (breaks === 0 || keepsLines)) {
          place(keepsLines ? space : ' ', style, widthOf(keepsLines ? space : ' ', size, style));
        }
        continue;
      }
      for (const part of splitWord(word, width, size, style)) {
        const wide = widthOf(part, size, style);
        if (x > 0 && x + wide > width) newLine();
        place(part, style, wide);
      }
    }
  }
  return lines;
}

/** Splits a word that is longer than a line. */
function splitWord(word: string, width: number, size: number, style: Style): string[] {
  if (style.pill || widthOf(word, size, style) <= width) return [word];
  const parts: string[] = [''];
  let wide = 0;
  for (const character of word) {
    wide += widthOf(character, size, style);
    if (wide > width && parts.at(-1) !== '') {
      parts.push('');
      wide = widthOf(character, size, style);
    }
    parts[parts.length - 1] += character;
  }
  return parts;
}

export function shorten(text: string, width: number, size: number, style: Style): string {
  if (widthOf(text, size, style) <= width) return text;
  let short = '';
  let wide = widthOf('…', size, style);
  for (const character of text) {
    wide += widthOf(character, size, { ...style, pill: false });
    if (wide > width) break;
    short += character;
  }
  return `${short}…`;
}
