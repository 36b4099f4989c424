import { type ListedExperience, pathOfKind } from '@usher/domain';
import { unpublishedSummary } from '@usher/domain/sentences';
import { api, type ResponseOf } from '../api/api.ts';
import type { ChangeSummary } from '../changes/change.ts';
import type { ShownExperience } from '../editor/document.ts';

/** The fields of an Experience that the dialog needs before it loads the rest. */
export type ToPublish = Pick<ListedExperience, 'id' | 'kind' | 'name'>;

type PublishCheck = ResponseOf<'GET /v3/edit/{kind}/{id}/publish_check'>['publish_check'];

/** What the person sees: of the draft of an Experience, or of a proposal. */
export interface ShownPlan {
  experience: Pick<ShownExperience, 'kind' | 'state' | 'public_page'> & { url_groups: readonly { name: string }[] };
  check: PublishCheck;
}

/** Everything that the dialog shows of one Experience, as it was at one moment. */
export interface PublishPlan extends ShownPlan {
  experience: ShownExperience;
  /** The last Change that the dialog shows. */
  lastChangeId: string | undefined;
}

/**
 * Loads the document first: publishing sends its `updated_at`, so that a change after it, also between these requests,
 * is rejected and shown.
 */
export async function loadPlan({ kind, id }: ToPublish): Promise<PublishPlan> {
  const { experience } = await api('GET /v3/edit/experiences/{id}', { id });
  const of = { kind: pathOfKind(kind), id };
  const [{ publish_check }, { changes }] = await Promise.all([
    api('GET /v3/edit/{kind}/{id}/publish_check', of),
    api('GET /v3/edit/{kind}/{id}/changes', { ...of, limit: 1 }),
  ]);
  return {
    experience,
    check: { ...publish_check, summary: unpublishedSummary(publish_check.summary) },
    lastChangeId: changes[0]?.id,
  };
}

export function changesSomething({ object, changes }: ChangeSummary): boolean {
  return object !== null || changes.length > 0;
}

/** Whether users see exactly this state already. */
export function isUpToDate({ experience, check }: ShownPlan): boolean {
  return experience.state === 'live' && !changesSomething(check.summary);
}
