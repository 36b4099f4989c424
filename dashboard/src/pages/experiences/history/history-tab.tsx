import { useInfiniteQuery } from '@tanstack/react-query';
import { GitCompareArrows } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import { listQuery } from '../../../api/list.ts';
import { Timeline } from '../../../changes/timeline.tsx';
import { useNames } from '../../../changes/use-names.ts';
import { useRevert } from '../../../changes/use-revert.ts';
import type { ExperienceTabProps } from '../../../editor/experience-tab-props.ts';
import * as text from '../../../messages/text.ts';
import { Button } from '../../../ui/button.tsx';
import { CompareDialog } from './compare-dialog.tsx';

const texts = text.history;
const PAGE_SIZE = 100;

/** Everything that was changed, by whom and when, as a timeline. */
export default function HistoryTab({ experience, editor }: ExperienceTabProps) {
  const shownId = useSearchParams()[0].get('change');
  const [isComparing, setComparing] = useState(false);
  const params = { kind: `${experience.kind}s` as const, id: experience.id, limit: PAGE_SIZE };
  const list = useInfiniteQuery(listQuery('GET /v3/edit/{kind}/{id}/changes', params));
  const changes = useMemo(() => list.data?.pages.flatMap((page) => page.changes), [list.data]);
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
      <Timeline
        list={list}
        kind={experience.kind}
        nameOf={nameOf}
        isReverting={revert.isPending}
        {...(shownId !== null && { shownId })}
        {...(!editor.isReadOnly && { onRevert: revert.toChange })}
      />
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
