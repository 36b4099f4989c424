import { useQuery } from '@tanstack/react-query';
import type { Document } from '@usher/domain';
import { changesInSummary, unpublishedSummary } from '@usher/domain/sentences';
import { Check, FilePenLine, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { ResponseOf } from '../../api/api.ts';
import { ApiError } from '../../api/errors.ts';
import { query, useSend } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { useEnvironment } from '../../app/environment.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { FormSkeleton } from '../../app/form-skeleton.tsx';
import { FullPageMessage } from '../../app/full-page-message.tsx';
import { Page } from '../../app/page.tsx';
import type { ChangeSummary } from '../../changes/change.ts';
import { ChangeSentences } from '../../changes/change-sentences.tsx';
import { useNames } from '../../changes/use-names.ts';
import * as text from '../../messages/text.ts';
import { changesSomething, type ShownPlan } from '../../publish/load-plan.ts';
import { Part, PublishSection } from '../../publish/publish-section.tsx';
import { Button } from '../../ui/button.tsx';
import { Link } from '../../ui/link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { showToast } from '../../ui/toast.tsx';
import { describeMaker, ProposalState } from './proposal-state.tsx';
import { RejectDialog } from './reject-dialog.tsx';
import { StepPictures } from './step-pictures.tsx';

const texts = text.proposals;

type Proposal = ResponseOf<'GET /v3/edit/proposals/{id}'>['proposal'];

/** One proposal: what it changes and how it looks, as in the publish dialog, and the decision about it. */
export default function ProposalPage({ params: { id = '' } }: { params: Record<string, string> }) {
  const { data, error } = useQuery(query('GET /v3/edit/proposals/{id}', { id }));
  if (error instanceof ApiError && error.status === 404)
    return (
      <FullPageMessage title={texts.gone.title} action={<Link href="/app/proposals">{texts.gone.action}</Link>}>
        {texts.gone.text}
      </FullPageMessage>
    );
  if (!data)
    return (
      <Page title={text.titles.proposal}>
        {error ? <ErrorNotice error={error} /> : <FormSkeleton label={text.titles.proposal} heights={[240]} />}
      </Page>
    );
  return <ShownProposal key={id} proposal={data.proposal} />;
}

function ShownProposal({ proposal }: { proposal: Proposal }) {
  const { can } = useSession();
  const isOpen = proposal.state === 'open';
  const document = proposal.experience as unknown as Document;
  return (
    <Page
      title={proposal.name}
      parent={{ href: '/app/proposals', label: texts.title }}
      intro={
        <span className="flex flex-wrap items-center gap-2">
          <ProposalState proposal={proposal} />
          <bdi>{describeMaker(proposal)}</bdi>
          <RelativeTime time={proposal.created_at} />
        </span>
      }
    >
      {proposal.note !== null && (
        <Part level={2} title={texts.note}>
          <p className="text-14 wrap-anywhere">
            <bdi>{proposal.note}</bdi>
          </p>
        </Part>
      )}
      {proposal.is_outdated && (
        <Notice kind="warning" title={texts.outdated.title}>
          {texts.outdated.text}
        </Notice>
      )}
      {!isOpen && <Decision proposal={proposal} />}
      {isOpen && <WhatHappens proposal={proposal} />}
      <StepPictures id={proposal.experience_id ?? proposal.id} document={document} />
      {isOpen && (can('edit') ? <Decide proposal={proposal} /> : <p className="text-14 text-soft">{texts.readOnly}</p>)}
    </Page>
  );
}

/** What was decided, and why. */
function Decision({ proposal: { state, decided_by, decided_at, reason, experience_id } }: { proposal: Proposal }) {
  const who = decided_by?.name ?? '';
  return (
    <Notice
      kind={state === 'approved' ? 'done' : 'info'}
      title={state === 'approved' ? texts.approvedBy(who) : texts.rejectedBy(who)}
      {...(experience_id !== null && {
        action: <Link href={`/app/experiences/${experience_id}`}>{texts.openExperience}</Link>,
      })}
    >
      {decided_at !== null && <RelativeTime time={decided_at} />}
      {reason !== null && (
        <p className="wrap-anywhere">
          <bdi>{reason}</bdi>
        </p>
      )}
    </Notice>
  );
}

function WhatHappens({ proposal: { id, kind, updated_at, experience } }: { proposal: Proposal }) {
  const { environments } = useEnvironment();
  const { data, error } = useQuery({
    ...query('GET /v3/edit/proposals/{id}/publish_check', { id }),
    // A proposal that has changed is checked again.
    queryKey: ['proposals', 'check', id, updated_at],
  });
  if (!data) return error ? <ErrorNotice error={error} /> : <FormSkeleton label={texts.title} heights={[200]} />;
  const chosen = (experience as { url_group_ids?: string[] }).url_group_ids ?? [];
  const url_groups = environments.filter(({ id }) => chosen.includes(id));
  const summary = unpublishedSummary(data.publish_check.summary);
  const plan: ShownPlan = {
    experience: { kind, state: 'draft', url_groups },
    check: { ...data.publish_check, summary },
  };
  const differs = data.draft_changes && changesSomething(data.draft_changes) && !isSame(data.draft_changes, summary);
  return (
    <>
      {differs && data.draft_changes && <DraftChanges summary={data.draft_changes} kind={kind} />}
      <PublishSection level={2} plan={plan} />
    </>
  );
}

/** Whether two summaries say the same. If the draft is what users see, they do. */
function isSame(one: ChangeSummary, other: ChangeSummary): boolean {
  const said = ({ object, changes }: ChangeSummary) =>
    JSON.stringify([object, changes.map(({ model_id, object }) => [model_id, object])]);
  return said(one) === said(other);
}

function DraftChanges({ summary, kind }: { summary: ChangeSummary; kind: string }) {
  const changes = useMemo(
    () => changesInSummary(summary).map(({ fields }) => ({ path: '', object: fields })),
    [summary],
  );
  return (
    <Part level={2} title={texts.draftChanges}>
      <ChangeSentences summary={summary} kind={kind} nameOf={useNames(changes)} />
    </Part>
  );
}

function Decide({ proposal: { id, name, updated_at, is_outdated } }: { proposal: Proposal }) {
  const [, navigate] = useLocation();
  const [isRejecting, setRejecting] = useState(false);
  const approve = useSend('POST /v3/edit/proposals/{id}/approve', ['experiences', 'kinds', 'live', 'attention']);
  const decided = (message: string) => {
    showToast({ title: message });
    navigate('/app/proposals');
  };
  const send = (publish: boolean) =>
    approve.mutate(
      { id, updated_at, publish },
      { onSuccess: () => decided(publish ? texts.approved(name) : texts.taken(name)) },
    );
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-4">
      <ErrorNotice error={approve.error} />
      <div className="flex flex-wrap gap-2">
        <Button
          look="primary"
          icon={Check}
          isPending={approve.isPending}
          isDisabled={is_outdated}
          onPress={() => send(true)}
        >
          {texts.approve}
        </Button>
        <Button icon={FilePenLine} isDisabled={is_outdated || approve.isPending} onPress={() => send(false)}>
          {texts.take}
        </Button>
        <Button icon={X} onPress={() => setRejecting(true)}>
          {texts.reject}
        </Button>
      </div>
      {isRejecting && (
        <RejectDialog id={id} onClose={() => setRejecting(false)} onDone={() => decided(texts.rejected(name))} />
      )}
    </div>
  );
}
