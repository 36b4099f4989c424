import {
  type ElementLook,
  emptyTheme,
  type LookPart,
  listThemeProblems,
  lookParts,
  nearestShadow,
  type PageLooks,
  proposeTheme,
} from '@usher/domain';
import { useEffect, useRef } from 'react';
import * as text from '../messages/text.ts';
import { Notice } from '../ui/notice.tsx';

const texts = text.takeFromPage;
type Look = NonNullable<PageLooks['light']>;

/** What was taken from a page, and what of it is hard to read. */
export function TakenLooks({ looks }: { looks: PageLooks }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The view opens automatically, so the focus goes to the heading and not to a button: the person may be about to
  // press Enter.
  useEffect(() => heading.current?.focus(), []);
  const problems = listThemeProblems({ ...emptyTheme(''), ...proposeTheme(looks) });
  return (
    <div className="flex flex-col gap-4">
      <h3 ref={heading} tabIndex={-1} className="text-14 font-medium outline-none">
        {texts.result}
      </h3>
      {(['light', 'dark'] as const).map((scheme) => (
        <section key={scheme} aria-label={texts.schemes[scheme]} className="flex flex-col gap-2">
          <h4 className="text-13 font-medium text-soft">{texts.schemes[scheme]}</h4>
          {looks[scheme] ? (
            <LookRows look={looks[scheme]} />
          ) : (
            <p className="text-13 text-soft">{texts.notTaken(scheme)}</p>
          )}
        </section>
      ))}
      {problems.length > 0 && (
        <Notice kind="warning" title={texts.contrast}>
          <ul className="flex list-disc flex-col gap-1 ps-5 wrap-anywhere">
            {problems.map(({ message }) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </Notice>
      )}
      <p className="text-13 text-soft">{texts.font}</p>
    </div>
  );
}

function LookRows({ look }: { look: Look }) {
  return (
    <ul className="flex flex-col divide-y divide-line rounded-6 border border-line">
      {lookParts.map((part) => (
        <li key={part} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-13">
          <span className="w-16 font-medium">{texts.parts[part]}</span>
          <LookRow part={part} taken={look[part]} />
        </li>
      ))}
    </ul>
  );
}

function LookRow({ part, taken }: { part: LookPart; taken: ElementLook | undefined }) {
  if (!taken) return <span className="text-soft">{texts.skipped}</span>;
  const { font, font_size, font_weight, radius, shadow } = taken;
  const shape = part === 'button' || part === 'card' ? [texts.radius(radius)] : [];
  const shade = part === 'card' ? [texts.shadow(nearestShadow(shadow))] : [];
  const letters =
    part === 'link' ? [] : [font?.split(',')[0]?.replace(/["']/g, ''), texts.size(font_size), font_weight];
  return (
    <>
      <span
        aria-hidden
        className="grid h-7 w-12 place-items-center border border-line forced-color-adjust-none"
        style={{ backgroundColor: `#${taken.background}`, borderRadius: Math.min(radius, 14) }}
      >
        <span className="h-1.5 w-6 rounded-full" style={{ backgroundColor: `#${taken.color}` }} />
      </span>
      <span className="min-w-0 flex-1 text-soft wrap-anywhere">
        {[...colorsOf(part, taken).map((color) => `#${color}`), ...letters, ...shape, ...shade]
          .filter((word) => word !== undefined)
          .join(', ')}
      </span>
    </>
  );
}

/** The colors that a theme takes from a part. */
function colorsOf(part: LookPart, { color, background, border_color }: ElementLook): string[] {
  if (part === 'link' || part === 'heading') return [color];
  return [background, color, ...(border_color === undefined ? [] : [border_color])];
}
