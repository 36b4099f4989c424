import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ResponseOf } from '../../api/api.ts';
import { query, useSend } from '../../api/queries.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { FormSkeleton } from '../../app/form-skeleton.tsx';
import { Page, Section } from '../../app/page.tsx';
import { showError } from '../../app/show-error.ts';
import { formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Link } from '../../ui/link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { showToast } from '../../ui/toast.tsx';
import { MoveForm } from './move-form.tsx';
import { StepsToPlace } from './steps-to-place.tsx';
import { withMove } from './with-move.ts';

export type Move = NonNullable<ResponseOf<'GET /v3/edit/move'>['move']>;
type Stage = Move['stages'][number];

const texts = text.moves;
const REFRESH_MS = 2000;

const columns: TableColumn<Stage>[] = [
  { id: 'stage', label: texts.columns.stage, width: '2fr', minWidth: 120, render: ({ stage }) => texts.stages[stage] },
  {
    id: 'done',
    label: texts.columns.done,
    width: '1fr',
    minWidth: 110,
    render: ({ done, total }) =>
      total === null || total <= done ? formatNumber(done) : texts.of(formatNumber(done), formatNumber(total)),
  },
  {
    id: 'problems',
    label: texts.columns.problems,
    width: '1fr',
    minWidth: 100,
    isSecondary: true,
    render: ({ problems_count }) => (problems_count === 0 ? '' : formatNumber(problems_count)),
  },
];

/** Moves an account of another service here: starts, shows how far it is, and what is left to do. */
export default function MovePage() {
  const { data, error } = useQuery({
    ...query('GET /v3/edit/move'),
    refetchInterval: ({ state }) => (state.data?.move?.state === 'running' ? REFRESH_MS : false),
  });
  const move = data?.move;
  return (
    <Page title={texts.title} intro={texts.intro}>
      <ErrorNotice error={error} />
      {!data && !error && <FormSkeleton label={texts.title} heights={[60, 60, 60]} />}
      {move && <Progress move={move} />}
      {data && move?.state !== 'running' && <MoveForm move={move ?? null} />}
      {move && <StepsToPlace move={move} />}
      {move && move.problems_count > 0 && <Problems move={move} />}
    </Page>
  );
}

function Progress({ move }: { move: Move }) {
  const stop = useSend('POST /v3/edit/move/stop');
  const release = useSend('POST /v3/edit/move/release', ['webhooks']);
  const stopNow = () => stop.mutate({}, { onSuccess: () => showToast({ title: texts.stopped }), onError: showError });
  const releaseNow = () =>
    release.mutate({}, { onSuccess: () => showToast({ title: texts.released }), onError: showError });
  const { state, source, error, seconds_left } = move;
  return (
    <Section title={texts.progress}>
      <Notice
        kind={state === 'running' ? 'info' : state === 'stopped' ? 'warning' : 'done'}
        title={`${texts.states[state]}. ${texts.from(source)}`}
        action={
          state === 'running' ? (
            <Button onPress={stopNow} isPending={stop.isPending}>
              {texts.stop}
            </Button>
          ) : state === 'finished' ? (
            <Button onPress={releaseNow} isPending={release.isPending}>
              {texts.release}
            </Button>
          ) : undefined
        }
      >
        {error ??
          (state === 'finished'
            ? texts.finishedHelp
            : seconds_left !== null
              ? texts.left(formatNumber(Math.ceil(seconds_left / 60)))
              : undefined)}
      </Notice>
      <Table
        label={texts.progress}
        columns={columns}
        rows={move.stages.map((stage) => ({ ...stage, id: stage.stage }))}
        nameOf={({ stage }) => texts.stages[stage]}
        maxRows={move.stages.length}
        empty={null}
      />
    </Section>
  );
}

function Problems({ move }: { move: Move }) {
  const { data } = useQuery(withMove(query('GET /v3/edit/move/problems'), 'problems', move));
  return (
    <Section title={texts.problems}>
      <ul className="flex flex-col gap-2 text-14">
        {data?.problems.map(({ stage, record_id, message }) => (
          <li key={`${stage} ${record_id} ${message}`} className="flex flex-col">
            <span className="text-13 text-soft">{texts.problem(texts.stages[stage], record_id)}</span>
            <bdi className="wrap-anywhere">{withLinks(message)}</bdi>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Messages name the addresses of a record there and here. */
function withLinks(message: string): ReactNode[] {
  return message.split(/(https?:\/\/\S+)/).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <Link key={part} href={part}>
        {part}
      </Link>
    ),
  );
}
