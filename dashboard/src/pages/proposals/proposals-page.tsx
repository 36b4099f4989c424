import { useInfiniteQuery } from '@tanstack/react-query';
import { listQuery } from '../../api/list.ts';
import { useSession } from '../../api/session.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { Page } from '../../app/page.tsx';
import { kindWords } from '../../messages/en/kinds.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Drawing } from '../../ui/drawing.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Link } from '../../ui/link.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Table, type TableColumn, TwoLines } from '../../ui/table.tsx';
import { describeMaker, type Listed, ProposalState } from './proposal-state.tsx';

const texts = text.proposals;

/** All proposals, also the ones that were decided about. */
export default function ProposalsPage() {
  const { can } = useSession();
  const list = useInfiniteQuery(listQuery('GET /v3/edit/proposals', { limit: 100 }));
  const rows = list.data?.pages.flatMap(({ proposals }) => proposals);
  return (
    <Page title={texts.title} intro={texts.intro} parent={{ href: '/app/experiences', label: text.titles.experiences }}>
      {!rows && <ErrorNotice error={list.error} />}
      {(rows || !list.error) && (
        <Table
          label={texts.title}
          columns={columns}
          rows={rows}
          expectedRows={3}
          hasTwoLines
          placeKey="proposals"
          nameOf={({ name }) => name}
          hrefOf={({ id }) => `/app/proposals/${id}`}
          empty={
            <EmptyState
              picture={<Drawing of="proposals" />}
              title={texts.empty.title}
              action={can('own') && <Link href="/app/settings/secrets">{texts.empty.action}</Link>}
            >
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
    </Page>
  );
}

const columns: TableColumn<Listed>[] = [
  {
    id: 'name',
    label: texts.columns.name,
    width: '3fr',
    minWidth: 130,
    render: ({ name, kind, is_new }) => (
      <TwoLines
        first={<bdi className="truncate">{name}</bdi>}
        second={is_new ? texts.newKind(kindWords[kind]) : texts.changeOf(kindWords[kind])}
      />
    ),
  },
  {
    id: 'state',
    label: texts.columns.state,
    width: 124,
    minWidth: 124,
    render: (proposal) => <ProposalState proposal={proposal} />,
  },
  {
    id: 'by',
    label: texts.columns.by,
    width: '2fr',
    isSecondary: true,
    render: (proposal) => <bdi className="truncate">{describeMaker(proposal)}</bdi>,
  },
  {
    id: 'when',
    label: texts.columns.when,
    width: 132,
    isSecondary: true,
    render: ({ created_at }) => <RelativeTime time={created_at} />,
  },
];
