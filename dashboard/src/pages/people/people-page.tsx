import { ListFilter } from 'lucide-react';
import { Suspense, useMemo, useState } from 'react';
import { useSession } from '../../api/session.ts';
import { ImportButton } from '../../app/import-button.tsx';
import { lazyComponent } from '../../app/lazy-component.ts';
import { Page } from '../../app/page.tsx';
import type { FilterSet } from '../../filters/filter-set.ts';
import { NothingFound, NothingSent } from '../../lists/empty-lists.tsx';
import { SearchField } from '../../lists/search-field.tsx';
import { useAddress } from '../../lists/use-address.ts';
import * as text from '../../messages/text.ts';
import { peopleSource } from '../../people/people-source.ts';
import { PeopleTable } from '../../people/people-table.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PeopleCount } from './people-count.tsx';
import { readFilterSet, writeFilterSet } from './read-filter-set.ts';

const texts = text.people;

// The panel loads all properties, events and Experiences, which the list does not need.
const FilterPanel = lazyComponent(() => import('./filter-panel.tsx').then((module) => module.FilterPanel));

export default function PeoplePage() {
  const { user } = useSession();
  const { get, set } = useAddress({ isSearch: true });
  const [words, filters, op] = [get('text').trim(), get('filters'), get('filters_op')];
  const { isBad, ...filterSet } = useMemo(() => readFilterSet(filters, op), [filters, op]);
  const [isOpen, setOpen] = useState(filterSet.filters.length > 0);
  const isFiltered = filterSet.filters.length > 0;
  const clear = () => set({ text: '', filters: '', filters_op: '' });
  const source = peopleSource(user.id, {
    ...(words !== '' && { text: words }),
    ...(isFiltered && filterSet),
  });
  const count = filterSet.filters.length;
  return (
    <Page title={texts.title} intro={texts.intro} actions={<ImportButton model="profile" />}>
      <div className="flex flex-col gap-3">
        <div className="flex items-end gap-3">
          <SearchField
            label={texts.search}
            placeholder={texts.placeholder}
            value={get('text')}
            onChange={(next) => set({ text: next })}
            className="min-w-0 max-w-md flex-1"
          />
          <Button icon={ListFilter} aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
            {count > 0 ? texts.filterCount(count) : texts.filter}
          </Button>
        </div>
        {isBad && (
          <Notice
            kind="warning"
            title={texts.badFilters.title}
            action={
              <Button size="small" onPress={() => set({ filters: '', filters_op: '' })}>
                {texts.clearFilters}
              </Button>
            }
          >
            {texts.badFilters.text}
          </Notice>
        )}
        {isOpen && (
          <Suspense fallback={<div className="min-h-32 rounded-10 border border-line bg-surface" />}>
            <FilterPanel
              value={filterSet}
              hasWords={words !== ''}
              onChange={(next: FilterSet) => set(writeFilterSet(next))}
            />
          </Suspense>
        )}
      </div>
      <PeopleTable
        source={source}
        empty={
          words !== '' || isFiltered ? (
            <NothingFound {...texts.nothingFound} action={texts.clear} onClear={clear} />
          ) : (
            <NothingSent drawing="people" {...texts.empty} />
          )
        }
        {...(words === '' && { describeCount: (loaded) => <PeopleCount value={filterSet} loaded={loaded} /> })}
      />
    </Page>
  );
}
