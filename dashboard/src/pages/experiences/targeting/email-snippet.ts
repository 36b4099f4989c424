import { askOf, parseText, plainText, resolve, type Step } from '@usher/domain';

type Asking = Pick<Step, 'preset' | 'question' | 'title' | 'label_low' | 'label_high'>;

/** The lowest and highest score of the first scale, whose links an email can have. */
function findScale(steps: readonly Asking[]) {
  for (const step of steps) {
    const ask = askOf(step);
    if (ask?.kind === 'stars') return { step, min: 1, max: ask.max ?? 5 };
    if (ask?.kind === 'scale') return { step, min: ask.min ?? 1, max: ask.max ?? 5 };
    // A link chooses an answer of the first question only.
    if (ask) return undefined;
  }
  return undefined;
}

/** HTML for an email: a link for each score, or one link if the survey does not begin with a scale. Emails have no style sheets. */
export function emailSnippet(url: string, steps: readonly Asking[], linkText: string): string {
  const scale = findScale(steps);
  if (!scale) return `<a href="${url}">${escapeHtml(linkText)}</a>`;
  const { step, min, max } = scale;
  const style =
    'display:inline-block;width:32px;margin:0 2px 6px 0;line-height:32px;border:1px solid #c5cad6;border-radius:6px;color:#1d2330;text-align:center;text-decoration:none';
  const links = Array.from({ length: max - min + 1 }, (_, at) => {
    const score = min + at;
    return `  <a href="${url}?score=${score}" style="${style}">${score}</a>`;
  });
  const title = toWords(step.title);
  const ends = [
    { score: min, label: toWords(step.label_low) },
    { score: max, label: toWords(step.label_high) },
  ].flatMap(({ score, label }) => (label ? `${score} = ${escapeHtml(label)}` : []));
  return [
    ...(title ? [`<p>${escapeHtml(title)}</p>`] : []),
    '<p>',
    ...links,
    '</p>',
    ...(ends.length > 0 ? [`<p style="color:#5b6475">${ends.join(', ')}</p>`] : []),
  ].join('\n');
}

/** An email has the fallbacks of merge tags, as the page of a link that is not signed. */
function toWords(source: string | null): string {
  const parsed = parseText(source ?? '');
  return 'problem' in parsed ? '' : plainText(resolve(parsed, () => undefined));
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
