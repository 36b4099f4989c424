import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { listQuery } from '../../api/list.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { Page } from '../../app/page.tsx';
import { ExperienceField } from '../../experiences/experience-field.tsx';
import { LoadMore } from '../../lists/load-more.tsx';
import { formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Drawing } from '../../ui/drawing.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Link } from '../../ui/link.tsx';
import { Table } from '../../ui/table.tsx';
import { isNarrow, useWidth } from '../../ui/use-width.ts';
import { deliveryColumns, nameOfPerson } from './delivery-columns.tsx';

const texts = text.deliveries;

/** The Deliveries of all people, the newest first. */
export default function DeliveriesPage() {
  const [params, setParams] = useSearchParams();
  const modelId = params.get('experience');
  const choose = (id: string | null) =>
    setParams(id === null ? new URLSearchParams() : new URLSearchParams({ experience: id }));
  const [ref, width] = useWidth();
  const narrow = isNarrow(width);
  const options = listQuery('GET /v3/analyze/deliveries', {
    limit: 50,
    ...(modelId !== null && { model_id: modelId }),
  });
  const list = useInfiniteQuery({ ...options, placeholderData: keepPreviousData });
  const rows = list.data?.pages.flatMap((page) => page.deliveries);
  const columns = useMemo(() => deliveryColumns(narrow), [narrow]);
  const empty =
    modelId === null ? (
      <EmptyState
        picture={<Drawing of="deliveries" />}
        title={texts.empty.title}
        action={<Link href="/app/people">{texts.empty.action}</Link>}
      >
        {texts.empty.text}
      </EmptyState>
    ) : (
      <EmptyState
        picture={<Drawing of="nothingFound" />}
        title={texts.nothingFound.title}
        action={<Button onPress={() => choose(null)}>{texts.clear}</Button>}
      >
        {texts.nothingFound.text}
      </EmptyState>
    );
  return (
    <Page title={texts.title} intro={texts.intro}>
      <div className="flex flex-wrap items-end gap-3">
        <ExperienceField
          label={texts.experience}
          placeholder={texts.allExperiences}
          value={modelId === null ? null : { id: modelId }}
          onChange={({ id }) => choose(id)}
          className="w-72 @max-lg:w-full"
        />
        {modelId !== null && (
          <Button look="quiet" onPress={() => choose(null)}>
            {texts.clear}
          </Button>
        )}
      </div>
      <ErrorNotice error={list.error} />
      <div ref={ref} className="empty:hidden">
        {(rows || !list.error) && (
          <Table
            label={texts.title}
            columns={columns}
            rows={rows}
            expectedRows={8}
            maxRows={20}
            hasTwoLines
            placeKey="deliveries"
            nameOf={({ profile, experience }) => `${nameOfPerson(profile)} ${experience?.name ?? ''}`}
            empty={empty}
          />
        )}
      </div>
      {rows && rows.length > 0 && (
        <div className="flex items-center gap-3">
          <LoadMore list={list} label={texts.more}>
            {texts.count(formatNumber(rows.length), rows.length === 1, list.hasNextPage)}
          </LoadMore>
        </div>
      )}
    </Page>
  );
}
