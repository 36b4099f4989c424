import {
  type Appearance,
  askOf,
  type CaptureTheme,
  isNumeric,
  isShownText,
  isTask,
  kinds,
  type MergeSource,
  type MergeTag,
  type MergeTest,
  moveLast,
  parseMarkdown,
  parsePicturePath,
  parseText,
  type Question,
  type RichNode,
  type RichText,
  readCaptureTheme,
} from '@usher/domain';

/*
 * Describes what a capture shows, from top to bottom. The HTML and the SVG are both drawn from this description.
 */

export interface Picture {
  /** The text for screen readers. */
  name: string;
  frame: 'modal' | 'slideout' | 'tooltip' | 'banner' | 'card' | 'launcher';
  hasBackdrop: boolean;
  parts: PicturePart[];
  /** The button beside the frame that opens the frame. */
  opener: RichText | null;
  theme: CaptureTheme;
}

export type PicturePart =
  | { kind: 'title'; text: RichText }
  | { kind: 'note'; text: RichText }
  | { kind: 'body'; text: RichText }
  /** A picture, or the place of a video without one. The path is one of this server. */
  | { kind: 'media'; path: string | null; text: RichText }
  | { kind: 'scale'; points: string[]; low: RichText | null; high: RichText | null }
  | { kind: 'field'; text: RichText; lines: 1 | 3 | 'choice' }
  | { kind: 'choices'; texts: RichText[] }
  /** The primary button is the last one. */
  | { kind: 'buttons'; texts: RichText[]; dismiss: RichText | null }
  | { kind: 'item'; mark: 'link' | 'box'; title: RichText; text: RichText | null }
  | { kind: 'divider'; text: RichText | null };

const scales: Record<string, string[]> = {
  survey_nps: ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10'],
  survey_csat: ['1', '2', '3', '4', '5'],
  survey_ces: ['1', '2', '3', '4', '5', '6', '7'],
};
const MAX_CHOICES = 8;

export function buildPicture(look: Appearance): Picture {
  const drawn = kinds[look.kind].parts === 'items' ? buildLauncherPicture(look) : buildStepPicture(look);
  return { ...drawn, theme: readCaptureTheme(look.theme) };
}

type Drawn = Omit<Picture, 'theme'>;

function buildStepPicture({ kind, style, fields, buttons = [] }: Appearance): Drawn {
  const { title, body, preset, dismiss_text } = fields;
  const question = fields.question as Question | null | undefined;
  const toTexts = (list: typeof buttons) => list.flatMap(({ text }) => (text === null ? [] : [plain(text)]));
  const dismiss = textOrNull(dismiss_text);
  const parts: PicturePart[] = [];
  const path = parsePicturePath(String(fields.picture)) ? String(fields.picture) : null;
  if (path !== null || fields.video_url)
    parts.push({ kind: 'media', path, text: textOrNull(fields.picture_alt) ?? ['Picture'] });
  if (title) parts.push({ kind: 'title', text: plain(title) });
  for (const [name, field] of Object.entries(kinds[kind].fields))
    if (isShownText(field) && fields[name]) parts.push({ kind: 'note', text: plain(fields[name]) });
  if (body) parts.push({ kind: 'body', text: markdown(body) });
  parts.push(...(question && preset === null ? buildQuestionParts(question, fields) : buildAnswerParts(fields)));
  const isChoice = /^survey_(two|three|four|five)$/.test(String(preset));
  if (isChoice && buttons.length > 0) parts.push({ kind: 'choices', texts: toTexts(buttons) });
  const primary = buttons.find(({ is_primary }) => is_primary) ?? buttons[0];
  const texts = isChoice ? [] : toTexts(moveLast(buttons, primary));
  if (texts.length > 0 || dismiss) parts.push({ kind: 'buttons', texts, dismiss });
  const frame = frameOf(kind, style, fields);
  return { name: nameOf(kind, title), frame, hasBackdrop: fields.backdrop === true, parts, opener: null };
}

function frameOf(kind: Appearance['kind'], style: string | undefined, fields: Appearance['fields']): Picture['frame'] {
  const { place } = kinds[kind];
  if (place === 'inline') return style === 'card' ? 'card' : 'banner';
  if (place === 'element' || /^snap_to/.test(String(fields.position_type))) return 'tooltip';
  if (fields.position_type === 'inline') return 'card';
  const at = String(fields.screen_position);
  if (at === 'top' || at === 'bottom') return 'banner';
  return at === 'center' || at === 'null' ? 'modal' : 'slideout';
}

function buildAnswerParts(fields: Appearance['fields']): PicturePart[] {
  const preset = String(fields.preset);
  const points = scales[preset];
  if (points)
    return [{ kind: 'scale', points, low: textOrNull(fields.label_low), high: textOrNull(fields.label_high) }];
  const placeholder = (otherwise: string) => textOrNull(fields.placeholder) ?? [otherwise];
  if (preset === 'survey_input' || preset === 'response')
    return [{ kind: 'field', text: placeholder('Your answer'), lines: 3 }];
  if (preset !== 'survey_dropdown') return [];
  const items = Array.isArray(fields.dropdown_items) ? fields.dropdown_items : [];
  const other = textOrNull(fields.other_text);
  const rest = items.length - MAX_CHOICES;
  const choices = [...items.slice(0, MAX_CHOICES).map(plain), ...(rest > 0 ? [[`… ${rest} more`]] : [])];
  const all = [...choices, ...(other ? [other] : [])];
  const list: PicturePart[] = all.length > 0 ? [{ kind: 'choices', texts: all }] : [];
  return [{ kind: 'field', text: placeholder('Choose one'), lines: 'choice' }, ...list];
}

const MAX_POINTS = 11;

function buildQuestionParts(question: Question, fields: Appearance['fields']): PicturePart[] {
  const ask = askOf({ preset: null, question });
  if (!ask) return [];
  const { kind, options, min, max, label } = ask;
  const choices = options.map(({ text }) => plain(text));
  const more: RichText[] = choices.length > MAX_CHOICES ? [[`… ${choices.length - MAX_CHOICES} more`]] : [];
  const [first, last] = [min ?? 0, Math.min(max ?? 0, (min ?? 0) + MAX_POINTS - 1)];
  const numbers = Array.from({ length: Math.max(last - first + 1, 0) }, (_, at) => first + at);
  const points = numbers.map((number) => (kind === 'stars' ? '★' : String(number)));
  if (options.length > 0) return [{ kind: 'choices', texts: [...choices.slice(0, MAX_CHOICES), ...more] }];
  if (isNumeric(ask))
    return [{ kind: 'scale', points, low: textOrNull(fields.label_low), high: textOrNull(fields.label_high) }];
  if (kind === 'consent') return [{ kind: 'choices', texts: [textOrNull(label) ?? ['I agree']] }];
  if (kind === 'single' || kind === 'multiple') return [];
  const text = textOrNull(fields.placeholder) ?? ['Your answer'];
  return [{ kind: 'field', text, lines: kind === 'long_text' ? 3 : 1 }];
}

function buildLauncherPicture({ kind, fields, items = [] }: Appearance): Drawn {
  const { title, description, list_type, trigger_type, trigger_text, empty_state_content } = fields;
  const visible = items.filter(({ hide }) => hide !== true);
  const parts: PicturePart[] = [];
  if (title) parts.push({ kind: 'title', text: plain(title) });
  if (description) parts.push({ kind: 'note', text: inLine(description) });
  for (const item of visible) {
    const text = item.description ? inLine(item.description) : null;
    if (item.kind === 'divider') parts.push({ kind: 'divider', text: textOrNull(item.title) });
    else {
      // Only tours and surveys can be checked off.
      const mark = list_type === 'checklist' && isTask({ kind: String(item.kind) }) ? 'box' : 'link';
      parts.push({ kind: 'item', mark, title: textOrNull(item.title) ?? ['Untitled'], text });
    }
  }
  if (visible.length === 0) parts.push({ kind: 'body', text: markdown(empty_state_content ?? 'Nothing here yet.') });
  const opener =
    trigger_type === 'element' ? null : trigger_type === 'tab' ? (textOrNull(trigger_text) ?? ['Help']) : ['?'];
  return { name: nameOf(kind, title), frame: 'launcher', hasBackdrop: false, parts, opener };
}

function nameOf(kind: string, title: unknown): string {
  const text = textOrNull(title);
  return text ? `${kind}: ${wordsOf(text)}` : kind;
}

function wordsOf(text: RichText): string {
  return text
    .map((node) => {
      if (typeof node === 'string') return node;
      if (Array.isArray(node)) return '';
      return 'if' in node ? wordsOf(node.show) : tagText(node);
    })
    .join('');
}

function textOrNull(text: unknown): RichText | null {
  return typeof text === 'string' && text !== '' ? plain(text) : null;
}

/** Shows a text that cannot be parsed as it is. */
function plain(text: unknown): RichText {
  const read = parseText(String(text));
  return 'problem' in read ? [String(text)] : read;
}

function markdown(text: unknown): RichText {
  const read = parseMarkdown(String(text));
  return 'problem' in read ? [['p', String(text)]] : read;
}

const blocks = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'pre']);

/** Puts the blocks of a Markdown text into one line. */
function inLine(text: unknown): RichText {
  const words = (node: RichNode): RichText => {
    if (!Array.isArray(node) || !blocks.has(node[0])) return [node];
    const [, ...content] = node as [string, ...RichNode[]];
    return [' ', ...content.filter((part) => !(typeof part === 'object' && 'start' in part)).flatMap(words)];
  };
  const line = markdown(text).flatMap(words);
  return line[0] === ' ' ? line.slice(1) : line;
}

/*
 * A merge tag is shown as users without the value see it. Without a fallback they see nothing, so the tag itself is
 * shown.
 */

export function tagText(tag: MergeTag): string {
  return tag.or || `{{${sourceOf(tag)}}}`;
}

export function testText(test: MergeTest): string {
  return `{{#if ${formatTest(test)}}}`;
}

function formatTest(test: MergeTest): string {
  if ('all' in test) return formatParts(test.all, ' && ');
  if ('any' in test) return formatParts(test.any, ' || ');
  if ('not' in test) return `!${'op' in test.not ? `(${formatTest(test.not)})` : formatPart(test.not)}`;
  const { op, to = null, ...source } = test;
  return `${sourceOf(source)}${op ? ` ${op} ${JSON.stringify(to)}` : ''}`;
}

const formatParts = (parts: readonly MergeTest[], sign: string) => parts.map(formatPart).join(sign);

/** A list within another test is in parentheses. */
function formatPart(test: MergeTest): string {
  return 'all' in test || 'any' in test ? `(${formatTest(test)})` : formatTest(test);
}

function sourceOf(source: MergeSource): string {
  if ('option' in source) return `options.${source.option}`;
  if ('global' in source) return `global "${source.global}"`;
  if ('answer' in source) return `answer "${source.answer}"`;
  if (source.ago === undefined) return source.prop;
  return `time_ago ${source.prop}${source.ago === 'words' ? '' : ` in="${source.ago}"`}`;
}
