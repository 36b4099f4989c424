/** A text with a selection in it. */
export interface Selected {
  value: string;
  start: number;
  end: number;
}

export type Markdown = 'bold' | 'italic' | 'list' | 'link';

const marks = { bold: '**', italic: '*' };

/** Marks the selected text, or removes the marks. The same text stays selected. */
export function insertMarkdown(kind: Markdown, { value, start, end }: Selected, placeholder: string): Selected {
  if (kind === 'list') return toggleList({ value, start, end });
  const selected = value.slice(start, end) || placeholder;
  if (kind === 'link') {
    const link = `[${selected}](https://)`;
    const at = start + link.length - 1;
    // The address of the link is selected, because it must still be typed.
    return { value: value.slice(0, start) + link + value.slice(end), start: at - 'https://'.length, end: at };
  }
  const mark = marks[kind];
  const [before, after] = [value.slice(0, start), value.slice(end)];
  if (start < end && before.endsWith(mark) && after.startsWith(mark) && !isLonger(before, after, mark))
    return {
      value: before.slice(0, -mark.length) + value.slice(start, end) + after.slice(mark.length),
      start: start - mark.length,
      end: end - mark.length,
    };
  const from = start + mark.length;
  return { value: before + mark + selected + mark + after, start: from, end: from + selected.length };
}

/** Whether a longer mark is at the same place: `*` is also the end of `**`. */
function isLonger(before: string, after: string, mark: string): boolean {
  return mark === '*' && before.endsWith('**') && after.startsWith('**') && !before.endsWith('***');
}

function toggleList({ value, start, end }: Selected): Selected {
  const from = value.lastIndexOf('\n', start - 1) + 1;
  const next = value.indexOf('\n', end);
  const to = next < 0 ? value.length : next;
  const lines = value.slice(from, to).split('\n');
  const isList = lines.every((line) => line.startsWith('- '));
  const changed = lines.map((line) => (isList ? line.slice(2) : `- ${line}`)).join('\n');
  return { value: value.slice(0, from) + changed + value.slice(to), start: from, end: from + changed.length };
}

/** Replaces the selection with a text. `{{` directly before it is replaced too. */
export function insertText(text: string, { value, start, end }: Selected): Selected {
  const from = value.slice(0, start).endsWith('{{') && text.startsWith('{{') ? start - 2 : start;
  const at = from + text.length;
  return { value: value.slice(0, from) + text + value.slice(end), start: at, end: at };
}

/** The end of the part of a text that has changed, to put the caret there. */
export function endOfChange(before: string, after: string): number {
  let same = 0;
  const max = Math.min(before.length, after.length);
  while (same < max && before.at(-1 - same) === after.at(-1 - same)) same++;
  return after.length - same;
}
