import { useQuery } from '@tanstack/react-query';
import { isId } from '@usher/domain';
import { useLocation, useSearchParams } from 'wouter';
import { query } from '../../api/queries.ts';
import { environmentsQuery } from '../../app/environment.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { TabSkeleton } from '../../app/tab-skeleton.tsx';
import { useAddress } from '../../lists/use-address.ts';
import * as text from '../../messages/text.ts';
import { RangePicker } from '../../ranges/range-picker.tsx';
import { periodOf, useRange } from '../../ranges/use-range.ts';
import { Button } from '../../ui/button.tsx';
import { Drawing } from '../../ui/drawing.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { FilterSelect } from './filter-select.tsx';
import { isKind, kindOptions } from './kind-options.ts';
import { ReachChart } from './reach-chart.tsx';
import { ExperienceTable, KindTable } from './reach-tables.tsx';
import { ReachTiles } from './reach-tiles.tsx';

const texts = text.analytics;
const tagsQuery = query('GET /v3/edit/tags', { limit: 500 });

/** How many people Experiences reached, by day. */
export default function OverviewTab() {
  const [, navigate] = useLocation();
  const { data: settings } = useQuery(query('GET /v3/edit/account'));
  const timeZone = settings?.account.time_zone;
  const { today, range, setDays, setOwn } = useRange(timeZone);
  const { get, set } = useAddress();
  const [address] = useSearchParams();
  const [kind, groupId, tagId] = [get('kind'), get('url_group_id'), get('tag_id')];
  const groups = useQuery(environmentsQuery).data?.url_groups;
  const tags = useQuery(tagsQuery).data?.tags;
  const isGone =
    (groups && groupId !== '' && !groups.some(({ id }) => id === groupId)) ||
    (tags && tagId !== '' && !tags.some(({ id }) => id === tagId));
  const period = periodOf(range);
  const { data, error } = useQuery({
    ...query('GET /v3/analyze/reach', {
      ...{ from: range.from, until: range.until, by: period },
      ...(isKind(kind) && { kind }),
      ...(isId(groupId) && { url_group_id: groupId }),
      ...(isId(tagId) && { tag_id: tagId }),
    }),
    placeholderData: (before) => before,
  });
  const reach = data?.reach;
  const isEmpty = reach && reach.totals.shown === 0 && reach.before.totals.shown === 0;
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-end gap-3">
        <RangePicker range={range} today={today} timeZone={timeZone ?? ''} onDays={setDays} onOwn={setOwn} />
        <FilterSelect
          label={texts.filters.kind}
          all={texts.filters.allKinds}
          options={kindOptions}
          value={kind}
          onChange={(kind) => set({ kind })}
        />
        <FilterSelect
          label={texts.filters.environment}
          all={texts.filters.allEnvironments}
          options={groups?.map(({ id, name }) => ({ value: id, label: name }))}
          value={groupId}
          onChange={(url_group_id) => set({ url_group_id })}
        />
        <FilterSelect
          label={texts.filters.tag}
          all={texts.filters.allTags}
          options={tags?.map(({ id, name }) => ({ value: id, label: name }))}
          value={tagId}
          onChange={(tag_id) => set({ tag_id })}
        />
      </div>
      {isGone && (
        <Notice kind="warning" title={texts.filters.goneTitle}>
          {texts.filters.goneText}
        </Notice>
      )}
      <ErrorNotice error={isGone ? undefined : error} />
      {!reach && !error && <TabSkeleton />}
      {isEmpty && (
        <EmptyState
          picture={<Drawing of="live" />}
          title={texts.overview.empty.title}
          action={
            range.days === 90 ? (
              <Button onPress={() => navigate('/app/experiences')}>{texts.overview.empty.action}</Button>
            ) : (
              <Button onPress={() => setDays(90)}>{texts.overview.empty.longer}</Button>
            )
          }
        >
          {texts.overview.empty.text}
        </EmptyState>
      )}
      {reach && !isEmpty && (
        <>
          <ReachTiles reach={reach} />
          <p className="text-13 text-soft">
            {reach.is_distinct ? texts.overview.distinct : texts.overview.perExperience}
            {groupId !== '' && ` ${texts.overview.firstEnvironment}`}
          </p>
          <ReachChart reach={reach} period={period} today={today} />
          {reach.kinds.length > 1 && (
            <KindTable
              reach={reach}
              hrefOf={(kind) => `/app/analytics?${new URLSearchParams([...address, ['kind', kind]])}`}
            />
          )}
          <ExperienceTable reach={reach} range={range} />
        </>
      )}
    </div>
  );
}
