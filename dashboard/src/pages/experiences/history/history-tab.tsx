import { useInfiniteQuery } from '@tanstack/react-query';
import { GitCompareArrows } from 'lucide-react';
import { useMemo, useState } from 'react';
import { listQuery } from '../../../api/list.ts';
import { ErrorNotice } from '../../../app/error-notice.tsx';
import { useNames } from '../../../changes/use-names.ts';
import { useRevert } from '../../../changes/use-revert.ts';
import type { ExperienceTabProps } from '../../../editor/experience-tab-props.ts';
import * as text from '../../../messages/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Drawing } from '../../../ui/drawing.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { CompareDialog } from './compare-dialog.tsx';
import { groupSittings } from './group-sittings.ts';
import { SittingItem } from './sitting-item.tsx';

const texts = text.history;
const PAGE_SIZE = 100;

/** Everything that was changed, by whom and when, as a timeline. */
export default function HistoryTab({ experience, editor }: ExperienceTabProps) {
  const [isComparing, setComparing] = useState(false);
  const params = { kind: `${experience.kind}s` as const, id: experience.id, limit: PAGE_SIZE };
  const list = useInfiniteQuery(listQuery('GET /v3/edit/{kind}/{id}/changes', params));
  const changes = useMemo(() => list.data?.pages.flatMap((page) => page.changes), [list.data]);
  const sittings = useMemo(() => changes && groupSittings(changes), [changes]);
  const nameOf = useNames(changes);
  const revert = useRevert(experience, editor, changes?.[0]?.id);
  return (
    <div className="flex max-w-3xl flex-col gap-5 py-5">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <p className="max-w-prose text-soft">{texts.intro}</p>
        <Button icon={GitCompareArrows} onPress={() => setComparing(true)}>
          {texts.versions.open}
        </Button>
      </div>
      <ErrorNotice error={list.error} />
      {!sittings && !list.error && <HistorySkeleton />}
      {sittings?.length === 0 && (
        <EmptyState picture={<Drawing of="history" />} title={texts.empty.title}>
          {texts.empty.description}
        </EmptyState>
      )}
      {sittings && sittings.length > 0 && (
        <ol className="flex flex-col">
          {sittings.map((sitting, at) => (
            <SittingItem
              key={sitting.id}
              sitting={sitting}
              kind={experience.kind}
              nameOf={nameOf}
              isNewest={at === 0}
              isLast={at === sittings.length - 1}
              {...(!editor.isReadOnly && at > 0 && { onRevert: () => revert.toChange(sitting.id) })}
              isReverting={revert.isPending}
            />
          ))}
        </ol>
      )}
      {list.hasNextPage && (
        <div>
          <Button isPending={list.isFetchingNextPage} onPress={() => list.fetchNextPage()}>
            {texts.more}
          </Button>
        </div>
      )}
      <CompareDialog
        isOpen={isComparing}
        onClose={() => setComparing(false)}
        experience={experience}
        nameOf={nameOf}
        {...(!editor.isReadOnly && { onRevert: (id: string) => revert.toVersion(id) })}
      />
    </div>
  );
}

function HistorySkeleton() {
  return (
    <div role="status" aria-label={text.ui.loading(texts.loading)} className="flex flex-col gap-4">
      {[1, 2, 3].map((row) => (
        <Skeleton key={row} height={96} />
      ))}
    </div>
  );
}
