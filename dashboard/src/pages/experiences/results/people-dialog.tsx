import { useInfiniteQuery } from '@tanstack/react-query';
import { pathOfKind } from '@usher/domain/kinds';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { api, download, type ParamsOf } from '../../../api/api.ts';
import { listQuery } from '../../../api/list.ts';
import type { ShownExperience } from '../../../editor/document.ts';
import { formatNumber } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import { CountedPeopleDialog } from '../../../people/counted-people-dialog.tsx';
import type { Range } from '../../../ranges/use-range.ts';
import { CompactNumber } from '../../../ui/compact-number.tsx';
import { cx } from '../../../ui/cx.ts';

const texts = text.results.peopleOf;
const OPERATION = 'GET /v3/analyze/{kind}/{id}/people';
const PAGE_SIZE = 50;

/** Which people a number counts, in the words of the API; `title` says it to people. */
export interface PeopleOf extends Omit<ParamsOf<typeof OPERATION>, 'kind' | 'id' | 'limit' | 'before' | 'after'> {
  title: string;
}

const OpenPeople = createContext<(people: PeopleOf) => void>(() => {});

interface WithPeopleProps {
  experience: ShownExperience;
  range: Range;
  children: ReactNode;
}

/** Numbers in here open the list of their people. */
export function WithPeople({ experience, range, children }: WithPeopleProps) {
  const [shown, setShown] = useState<PeopleOf>();
  return (
    <OpenPeople value={setShown}>
      {children}
      {shown && (
        <PeopleDialog
          experience={experience}
          of={{ from: range.from, until: range.until, ...shown }}
          onClose={() => setShown(undefined)}
        />
      )}
    </OpenPeople>
  );
}

/** A number of people that opens their list. */
export function PeopleCount({ value, of, className }: { value: number; of: PeopleOf; className?: string }) {
  const openPeople = useContext(OpenPeople);
  if (value === 0) return <span className={className}>{formatNumber(0)}</span>;
  return (
    <AriaButton
      onPress={() => openPeople(of)}
      aria-label={texts.open(formatNumber(value), of.title)}
      className={cx(
        'rounded-4 tabular-nums underline decoration-edge/50 decoration-dotted underline-offset-4 transition-colors data-hovered:text-accent data-hovered:decoration-accent print:no-underline',
        className,
      )}
    >
      <CompactNumber value={value} />
    </AriaButton>
  );
}

interface PeopleDialogProps {
  experience: ShownExperience;
  of: PeopleOf;
  onClose: () => void;
}

function PeopleDialog({ experience, of: { title, ...of }, onClose }: PeopleDialogProps) {
  const params = { kind: pathOfKind(experience.kind), id: experience.id, ...of };
  const list = useInfiniteQuery(listQuery(OPERATION, { ...params, limit: PAGE_SIZE } as ParamsOf<typeof OPERATION>));
  return (
    <CountedPeopleDialog
      title={title}
      of={experience.name}
      list={list}
      download={() =>
        download('GET /v3/analyze/{kind}/{id}/people.{format}', {
          ...params,
          format: 'csv',
        } as ParamsOf<'GET /v3/analyze/{kind}/{id}/people.{format}'>)
      }
      save={(name) =>
        api('POST /v3/edit/{kind}/{id}/people', { ...params, name } as ParamsOf<'POST /v3/edit/{kind}/{id}/people'>)
      }
      onClose={onClose}
    />
  );
}
