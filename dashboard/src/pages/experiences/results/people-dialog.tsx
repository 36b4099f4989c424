import { pathOfKind } from '@usher/domain/kinds';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { api, download, type ParamsOf } from '../../../api/api.ts';
import { keyOf } from '../../../api/nouns.ts';
import type { ShownExperience } from '../../../editor/document.ts';
import { CountButton, type CountedPeople, CountedPeopleDialog } from '../../../people/counted-people-dialog.tsx';
import type { Range } from '../../../ranges/use-range.ts';

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
        <CountedPeopleDialog
          counted={toCounted(experience, { from: range.from, until: range.until, ...shown })}
          onClose={() => setShown(undefined)}
        />
      )}
    </OpenPeople>
  );
}

/** A number of people that opens their list. */
export function PeopleCount({ value, of, className }: { value: number; of: PeopleOf; className?: string }) {
  const openPeople = useContext(OpenPeople);
  return <CountButton value={value} title={of.title} onOpen={() => openPeople(of)} className={className} />;
}

function toCounted(experience: ShownExperience, { title, ...of }: PeopleOf): CountedPeople {
  const params = { kind: pathOfKind(experience.kind), id: experience.id, ...of };
  return {
    ...{ title, of: experience.name },
    key: keyOf('kinds', OPERATION, params),
    load: (before) =>
      api(OPERATION, { ...params, limit: PAGE_SIZE, ...(before !== null && { before }) } as ParamsOf<typeof OPERATION>),
    download: () =>
      download('GET /v3/analyze/{kind}/{id}/people.{format}', {
        ...params,
        format: 'csv',
      } as ParamsOf<'GET /v3/analyze/{kind}/{id}/people.{format}'>),
    save: (name) =>
      api('POST /v3/edit/{kind}/{id}/people', { ...params, name } as ParamsOf<'POST /v3/edit/{kind}/{id}/people'>),
  };
}
