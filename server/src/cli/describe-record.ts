import {
  changesInSummary,
  describeChanges,
  englishChanges,
  type Sentence,
  type Wording,
} from '@usher/domain/sentences';
import type { Applied } from '../features/experiences/files/apply-files.ts';

/* What changes in one record, in the sentences with which the dashboard says what a publish changes. */

const wording: Wording = {
  words: englishChanges,
  formatNumber: (value) => value.toLocaleString('en'),
  formatDateTime: (time) => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  languageName: (code) => new Intl.DisplayNames(['en'], { type: 'language' }).of(code) ?? code,
  readableText: (text) => text,
};
const MAX_VALUE = 120;
/** How much of a long text is shown before the first difference. */
const BEFORE_DIFFERENCE = 20;

/** One line for each sentence. A new record has one, whatever its parts are. */
export function describeRecord({ file, action, summary }: Applied, names: ReadonlyMap<string, string>): string[] {
  if (!summary) return [];
  const kind = file.replace(/s\/.*$/, '').replaceAll('-', '_');
  const sentences = describeChanges(changesInSummary(summary), kind, (id) => names.get(id), wording);
  return (action === 'create' ? sentences.slice(0, 1) : sentences).map((sentence) => toLine(sentence, names));
}

function toLine({ text, ...sentence }: Sentence, names: ReadonlyMap<string, string>): string {
  const values = showValues(sentence).map((value) => value.replace(/\b[0-9a-f]{24}\b/g, (id) => names.get(id) ?? id));
  const said = text.charAt(0).toUpperCase() + text.slice(1);
  return inOneLine(values.length === 0 ? said : `${said}: ${values.join(' → ')}`);
}

function showValues({ before, after, isText }: Pick<Sentence, 'before' | 'after' | 'isText'>): string[] {
  const start = before === undefined || after === undefined ? 0 : firstShown(before, after);
  return [before, after].flatMap((value) => {
    if (value === undefined) return [];
    const characters = [...value].slice(start);
    const end = characters.length > MAX_VALUE ? '…' : '';
    const shown = `${start > 0 ? '…' : ''}${characters.slice(0, MAX_VALUE).join('')}${end}`;
    // JSON escapes what could write to a terminal, and line breaks.
    return [isText ? JSON.stringify(shown) : shown];
  });
}

/** Long texts are shown from shortly before they differ. */
function firstShown(before: string, after: string): number {
  const [olds, news] = [[...before], [...after]];
  if (Math.max(olds.length, news.length) <= MAX_VALUE) return 0;
  let same = 0;
  while (same < olds.length && olds[same] === news[same]) same++;
  return Math.max(0, same - BEFORE_DIFFERENCE);
}

export function inOneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}
