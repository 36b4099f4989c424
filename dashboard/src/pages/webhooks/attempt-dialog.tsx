import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ResponseOf } from '../../api/api.ts';
import { query } from '../../api/queries.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { formatExactTime, formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { AttemptResult } from './attempt-result.tsx';
import { topicName } from './topic-picker.tsx';

const { attempt: texts, attempts } = text.webhooks;

type Attempt = ResponseOf<'GET /v3/edit/webhooks/{id}/attempts/{attempt_id}'>['attempt'];

interface AttemptDialogProps {
  webhookId: string;
  attemptId: string;
  onClose: () => void;
}

/** One request to the receiver, and its response. */
export function AttemptDialog({ webhookId, attemptId, onClose }: AttemptDialogProps) {
  const { data, error } = useQuery(
    query('GET /v3/edit/webhooks/{id}/attempts/{attempt_id}', { id: webhookId, attempt_id: attemptId }),
  );
  return (
    <Dialog isOpen onClose={onClose} size="large" title={data ? topicName(data.attempt.kind) : attempts.open}>
      <ErrorNotice error={error} />
      {!data && !error && <Skeleton height={320} />}
      {data && <AttemptDetails attempt={data.attempt} />}
    </Dialog>
  );
}

function AttemptDetails({ attempt }: { attempt: Attempt }) {
  const { request, answer, status, error, at, duration_ms } = attempt;
  return (
    <>
      <dl className="flex flex-wrap gap-x-8 gap-y-2 text-13">
        <Fact name={attempts.columns.result}>
          <AttemptResult status={status} error={error} />
        </Fact>
        <Fact name={texts.at}>{formatExactTime(new Date(at))}</Fact>
        <Fact name={texts.duration}>{attempts.duration(formatNumber(duration_ms))}</Fact>
      </dl>
      <Part title={texts.answer}>
        {answer ? (
          <CodeBlock label={texts.answerBody} code={answer} />
        ) : (
          <p className="text-13 text-soft">{error ?? texts.answerEmpty}</p>
        )}
      </Part>
      <Part title={texts.request}>
        {request ? (
          <>
            <p className="text-13 text-soft">{texts.requestHelp}</p>
            <CodeBlock label={texts.headers} code={showHeaders(request)} />
            <CodeBlock label={texts.body} code={indent(request.body)} />
          </>
        ) : (
          <p className="text-13 text-soft">{texts.requestGone}</p>
        )}
      </Part>
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-col items-start gap-0.5">
      <dt className="text-12 text-soft">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-2">
      <h3 className="text-14 font-semibold">{title}</h3>
      {children}
    </section>
  );
}

function showHeaders({ url, headers }: NonNullable<Attempt['request']>): string {
  return [`POST ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\n');
}

function indent(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
