import { Section } from '../../app/page.tsx';
import * as text from '../../messages/text.ts';
import { Link } from '../../ui/link.tsx';
import type { ShownEvent } from './event-page.tsx';

const texts = text.events.usedBy;

/** The Segments and Experiences that use the event, with links. */
export function EventUses({ uses: { segments, experiences } }: { uses: ShownEvent['uses'] }) {
  const rows = [
    ...experiences.map(({ id, kind, name, is_in_draft }) => ({
      ...{ id, name, href: `/app/experiences/${id}/targeting` },
      what: `${text.segments.kinds[kind]}${is_in_draft ? '' : `, ${texts.onlyPublished}`}`,
    })),
    ...segments.map(({ id, name }) => ({ id, name, href: `/app/segments/${id}`, what: texts.segment })),
  ];
  return (
    <Section title={texts.title}>
      {rows.length === 0 ? (
        <p className="text-13 text-soft">{texts.none}</p>
      ) : (
        <ul className="flex flex-col gap-1.5 text-13">
          {rows.map(({ id, name, href, what }) => (
            <li key={id} className="flex min-w-0 flex-col">
              <Link href={href} className="truncate">
                <bdi>{name}</bdi>
              </Link>
              <span className="text-12 text-soft">{what}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
