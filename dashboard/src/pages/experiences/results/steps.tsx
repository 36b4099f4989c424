import { kinds } from '@usher/domain/kinds';
import { Section } from '../../../app/page.tsx';
import type { ShownExperience } from '../../../editor/document.ts';
import * as text from '../../../messages/text.ts';
import { BarTable } from '../../../ui/chart/bar-table.tsx';
import { clicksOf, completionsOf, type Stats } from './describe-results.ts';
import { PeopleCount } from './people-dialog.tsx';

const texts = text.results;

interface StepsProps {
  experience: ShownExperience;
  stats: Stats;
}

/** How many people completed each item of a checklist. */
export function Completions({ experience, stats }: StepsProps) {
  const rows = completionsOf(experience, stats);
  if (rows.length === 0) return null;
  const { title, intro, columns } = texts.completions;
  return (
    <Section title={title} intro={intro}>
      <BarTable
        label={title}
        columns={columns}
        isCompact
        rows={rows.map(({ id, label, clicked, share }) => ({
          ...{ id, label: <bdi>{label}</bdi>, count: clicked, share },
          shownCount: <PeopleCount value={clicked} of={{ title: label, what: 'item', part_id: id }} />,
        }))}
      />
    </Section>
  );
}

/** How many people clicked each button or item. */
export function Clicks({ experience, stats }: StepsProps) {
  const rows = clicksOf(experience, stats);
  // The buttons of a survey are its answers, which are shown in their own section.
  if (rows.length === 0 || kinds[experience.kind].asks) return null;
  const { title, columns, items, buttons } = texts.clicks;
  return (
    <Section title={title} intro={kinds[experience.kind].parts === 'items' ? items : buttons}>
      <BarTable
        label={title}
        columns={columns}
        isCompact
        rows={rows.map(({ id, label, clicked, share }) => ({
          ...{ id, label: <bdi>{label}</bdi>, count: clicked, share },
          shownCount: <PeopleCount value={clicked} of={{ title: label, what: 'button', part_id: id }} />,
        }))}
      />
    </Section>
  );
}
