import { useInfiniteQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { listQuery } from '../../api/list.ts';
import { useSession } from '../../api/session.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { Page } from '../../app/page.tsx';
import { useNewDialogState } from '../../app/use-new-dialog.ts';
import { useAddress } from '../../lists/use-address.ts';
import { formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Drawing } from '../../ui/drawing.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { Table, type TableColumn, TwoLines } from '../../ui/table.tsx';
import { type ImportRecord, ImportState, isRunning } from './import-state.tsx';
import { NewImportDialog } from './new-import-dialog.tsx';

const texts = text.imports;
const PAGE_SIZE = 100;
const RUNNING_MS = 1000;

/** The history of imports, of people or of Companies. */
export default function ImportsPage() {
  const { can } = useSession();
  const model = useAddress().get('of') === 'company' ? 'company' : 'profile';
  const [isOpen, setOpen] = useNewDialogState(can('edit'));
  const list = useInfiniteQuery({
    ...listQuery('GET /v3/edit/imports', { limit: PAGE_SIZE, model_kind: model }),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ imports }) => imports.some(isRunning)) ? RUNNING_MS : false,
  });
  const create = () => setOpen(true);
  useShortcuts(can('edit') ? [{ keys: 'c', label: texts.create, onPress: create }] : []);
  const createButton = can('edit') && (
    <Button look="primary" icon={Plus} onPress={create}>
      {texts.create}
    </Button>
  );
  const rows = list.data?.pages.flatMap(({ imports }) => imports);
  const parent =
    model === 'profile'
      ? { href: '/app/people', label: text.titles.people }
      : { href: '/app/companies', label: text.titles.companies };
  return (
    <Page
      title={texts.title[model]}
      parent={parent}
      intro={texts.intro[model]}
      actions={rows?.length === 0 ? undefined : createButton}
    >
      {!rows && <ErrorNotice error={list.error} />}
      {(rows || !list.error) && (
        <Table
          label={texts.title[model]}
          columns={columns}
          rows={rows}
          expectedRows={4}
          hasTwoLines
          placeKey={`imports-${model}`}
          nameOf={({ name }) => name}
          hrefOf={({ id }) => `/app/imports/${id}`}
          empty={
            <EmptyState picture={<Drawing of="imports" />} title={texts.empty.title} action={createButton}>
              {texts.empty.text}
            </EmptyState>
          }
        />
      )}
      {list.hasNextPage && (
        <Button className="self-center" isPending={list.isFetchingNextPage} onPress={() => list.fetchNextPage()}>
          {texts.more}
        </Button>
      )}
      {isOpen && <NewImportDialog model={model} onClose={() => setOpen(false)} />}
    </Page>
  );
}

const columns: TableColumn<ImportRecord>[] = [
  {
    id: 'name',
    label: texts.columns.name,
    width: '3fr',
    minWidth: 140,
    render: ({ name, kind }) => <TwoLines first={<bdi className="truncate">{name}</bdi>} second={texts.kinds[kind]} />,
  },
  {
    id: 'state',
    label: texts.columns.state,
    width: 132,
    minWidth: 112,
    render: (record) => <ImportState record={record} />,
  },
  {
    id: 'rows',
    label: texts.columns.rows,
    width: 96,
    align: 'end',
    isSecondary: true,
    render: ({ stats }) => (stats.rows_count === null ? '–' : formatNumber(stats.rows_count)),
  },
  {
    id: 'changed',
    label: texts.columns.changed,
    width: 132,
    isSecondary: true,
    render: ({ updated_at }) => <RelativeTime time={updated_at} />,
  },
];
