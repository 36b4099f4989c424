import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { useMemo } from 'react';
import { listQuery } from '../../api/list.ts';
import { query } from '../../api/queries.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { Timeline } from '../../changes/timeline.tsx';
import { useNames } from '../../changes/use-names.ts';
import { formatTime } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import type { ThemeEditor } from './use-theme-editor.ts';
import { useThemeRevert } from './use-theme-revert.ts';

const texts = text.themes.history;
const PAGE_SIZE = 100;

/** Everything that was changed in the theme, and what was published. */
export function ThemeHistory({ editor }: { editor: ThemeEditor }) {
  const { id, isReadOnly } = editor;
  const list = useInfiniteQuery(listQuery('GET /v3/edit/themes/{id}/changes', { id, limit: PAGE_SIZE }));
  const changes = useMemo(() => list.data?.pages.flatMap((page) => page.changes), [list.data]);
  const nameOf = useNames(changes);
  const revert = useThemeRevert(editor);
  const { data, error } = useQuery(query('GET /v3/edit/themes/{id}/versions', { id, limit: 100 }));
  return (
    <div className="grid max-w-5xl gap-8 py-5 md:grid-cols-[minmax(0,1fr)_18rem]">
      <div className="flex min-w-0 flex-col gap-5">
        <Timeline
          list={list}
          kind="theme"
          nameOf={nameOf}
          isReverting={revert.isPending}
          {...(!isReadOnly && { onRevert: revert.toChange })}
        />
      </div>
      <section aria-label={texts.versions} className="flex flex-col gap-3">
        <h2 className="text-14 font-semibold">{texts.versions}</h2>
        <ErrorNotice error={error} />
        {data?.versions.length === 0 && <p className="text-13 text-soft">{texts.none}</p>}
        <ol className="flex flex-col gap-3 empty:hidden">
          {data?.versions.map((version) => (
            <li key={version.id} className="flex flex-col items-start gap-1 rounded-6 border border-line p-3">
              <span className="text-14">{formatTime(new Date(version.published_at))}</span>
              {version.live && <Badge tone="good">{texts.live}</Badge>}
              {!isReadOnly && (
                <Button
                  size="small"
                  look="quiet"
                  icon={RotateCcw}
                  className="-mx-2"
                  isDisabled={revert.isPending}
                  onPress={() => revert.toVersion(version.id)}
                >
                  {texts.revert}
                </Button>
              )}
            </li>
          ))}
        </ol>
      </section>
    </div>
  );
}
