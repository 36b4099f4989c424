import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { ListedExperience } from '@usher/domain';
import { Plus } from 'lucide-react';
import { Suspense } from 'react';
import { listQuery } from '../../../api/list.ts';
import { useSession } from '../../../api/session.ts';
import { ErrorNotice } from '../../../app/error-notice.tsx';
import { lazyComponent } from '../../../app/lazy-component.ts';
import { Page } from '../../../app/page.tsx';
import { useNewDialogState } from '../../../app/use-new-dialog.ts';
import { LoadMore } from '../../../lists/load-more.tsx';
import { formatNumber } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Drawing } from '../../../ui/drawing.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { useShortcuts } from '../../../ui/shortcuts.ts';
import { ExperienceList } from './experience-list.tsx';
import { ListFilters } from './list-filters.tsx';
import { FIRST_ORDER, paramsOf, useFilters } from './list-params.ts';
import { useViews } from './saved-views.tsx';
import { useListNames } from './use-list-names.ts';
import { WaitingProposals } from './waiting-proposals.tsx';

const texts = text.experiences;

// The dialog is loaded when it is opened, with the code of the previews, so that the list shows sooner.
const NewDialog = lazyComponent(() => import('./new-dialog.tsx').then((module) => module.NewDialog));

export default function ExperiencesPage() {
  const { can } = useSession();
  const { filters, set, clear, isFiltered } = useFilters();
  const [isCreating, setCreating] = useNewDialogState(can('edit'));
  const names = useListNames();
  const views = useViews(filters);
  const options = listQuery('GET /v3/edit/experiences', paramsOf(filters));
  const list = useInfiniteQuery({ ...options, placeholderData: keepPreviousData });
  useShortcuts(can('edit') ? [{ keys: 'c', label: texts.create, onPress: () => setCreating(true) }] : []);
  const rows = list.data?.pages.flatMap((page) => page.experiences as ListedExperience[]);
  const create = can('edit') && (
    <Button look="primary" icon={Plus} onPress={() => setCreating(true)}>
      {texts.create}
    </Button>
  );
  const empty = isFiltered ? (
    <EmptyState
      picture={<Drawing of="nothingFound" />}
      title={texts.nothingFound.title}
      action={<Button onPress={clear}>{texts.filters.clear}</Button>}
    >
      {texts.nothingFound.text}
    </EmptyState>
  ) : (
    <EmptyState picture={<Drawing of="experiences" />} title={texts.empty.title} action={create}>
      {texts.empty.text}
    </EmptyState>
  );
  return (
    <Page title={texts.title} intro={texts.intro} actions={rows?.length === 0 && !isFiltered ? undefined : create}>
      <WaitingProposals />
      <ListFilters filters={filters} names={names} views={views} onChange={set} onClear={clear} />
      <ErrorNotice error={list.error} />
      {list.error && !rows && isFiltered && (
        // The address may name a tag that was deleted meanwhile.
        <div>
          <Button onPress={clear}>{texts.filters.clear}</Button>
        </div>
      )}
      {(rows || !list.error) && (
        <ExperienceList
          rows={rows}
          names={names}
          queryKey={options.queryKey}
          // Rows cannot be moved in a filtered list: other rows may be hidden between two rows, so the place between
          // them is not clear.
          isOrdered={filters.order === FIRST_ORDER && !isFiltered && !list.isPlaceholderData}
          empty={empty}
        >
          {rows && rows.length > 0 && (
            <LoadMore list={list} label={texts.more}>
              {texts.count(formatNumber(rows.length), rows.length === 1, list.hasNextPage)}
            </LoadMore>
          )}
        </ExperienceList>
      )}
      {isCreating && (
        <Suspense>
          <NewDialog kind={filters.kind} onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </Page>
  );
}
