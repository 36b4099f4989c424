import { useSession } from '../../api/session.ts';
import { ImportButton } from '../../app/import-button.tsx';
import { Page } from '../../app/page.tsx';
import { NothingFound, NothingSent } from '../../lists/empty-lists.tsx';
import { PagedTable } from '../../lists/paged-table.tsx';
import { SearchField } from '../../lists/search-field.tsx';
import { useAddress } from '../../lists/use-address.ts';
import { formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import type { TableColumn } from '../../ui/table.tsx';
import { TwoLines } from '../../ui/two-lines.tsx';
import { type CompanySummary, companiesSource } from './companies-source.ts';

const texts = text.companies;

export default function CompaniesPage() {
  const { user } = useSession();
  const { get, set } = useAddress({ isSearch: true });
  const words = get('text').trim();
  return (
    <Page title={texts.title} intro={texts.intro} actions={<ImportButton model="company" />}>
      <SearchField
        label={texts.search}
        placeholder={texts.placeholder}
        value={get('text')}
        onChange={(next) => set({ text: next })}
        className="max-w-md"
      />
      <PagedTable
        label={texts.title}
        source={companiesSource(user.id, words === '' ? {} : { text: words })}
        columns={columnsFor}
        hrefOf={({ id }) => `/app/companies/${id}`}
        empty={
          words === '' ? (
            <NothingSent drawing="companies" {...texts.empty} />
          ) : (
            <NothingFound {...texts.nothingFound} action={texts.clear} onClear={() => set({ text: '' })} />
          )
        }
        describeCount={(loaded, hasMore) =>
          hasMore ? texts.moreThan(formatNumber(loaded)) : texts.count(formatNumber(loaded), loaded)
        }
      />
    </Page>
  );
}

function columnsFor(narrow: boolean): TableColumn<CompanySummary>[] {
  const nameOf = ({ name, uid }: CompanySummary) => <bdi className="truncate">{name ?? uid}</bdi>;
  return [
    {
      id: 'name',
      label: texts.columns.name,
      width: '2fr',
      minWidth: 150,
      render: (company) =>
        narrow ? <TwoLines first={nameOf(company)} second={<bdi>{company.uid}</bdi>} /> : nameOf(company),
    },
    {
      id: 'uid',
      label: texts.columns.uid,
      width: '1fr',
      minWidth: 120,
      isSecondary: true,
      render: ({ uid }) => <bdi title={uid}>{uid}</bdi>,
    },
    {
      id: 'people',
      label: texts.columns.people,
      width: 96,
      align: 'end',
      render: ({ profiles_count }) => formatNumber(profiles_count),
    },
    {
      id: 'changed',
      label: texts.columns.changed,
      width: 132,
      isSecondary: true,
      render: ({ updated_at }) => <RelativeTime time={updated_at} />,
    },
  ];
}
