import { type ReactNode, useCallback } from 'react';
import { PagedTable } from '../lists/paged-table.tsx';
import type { ListSource } from '../lists/use-paged-list.ts';
import { formatNumber } from '../messages/format.ts';
import * as text from '../messages/text.ts';
import { peopleColumns } from './people-columns.tsx';
import type { PersonSummary } from './people-source.ts';

const texts = text.people;

interface PeopleTableProps {
  source: ListSource<PersonSummary>;
  empty: ReactNode;
  /** Describes how many people there are, if that is known better than by the loaded rows. `loaded` describes these. */
  describeCount?: (loaded: string) => ReactNode;
  showsCompany?: boolean;
}

export function PeopleTable({
  source,
  empty,
  describeCount = (loaded) => loaded,
  showsCompany = true,
}: PeopleTableProps) {
  const columns = useCallback((narrow: boolean) => peopleColumns(narrow, showsCompany), [showsCompany]);
  return (
    <PagedTable
      label={texts.title}
      source={source}
      columns={columns}
      hrefOf={({ id }) => `/app/people/${id}`}
      empty={empty}
      describeCount={(loaded, hasMore) =>
        describeCount(hasMore ? texts.moreThan(formatNumber(loaded)) : texts.count(formatNumber(loaded), loaded))
      }
    />
  );
}
