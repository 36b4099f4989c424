import { pathOfKind } from '@usher/domain';
import { api } from '../../../api/api.ts';
import { isConflict } from '../../../api/errors.ts';
import type { Change } from '../../../changes/change.ts';
import { type ShownExperience, shownIn } from '../../../editor/document.ts';
import type { PublishPlan } from '../../../publish/load-plan.ts';

export type PublishResult =
  | { kind: 'published'; experience: ShownExperience }
  /** Somebody has changed the Experience since the dialog was opened, so nothing was published. */
  | { kind: 'changed'; changes: readonly Change[] }
  | { kind: 'failed'; error: unknown };

/** Publishes exactly what the dialog shows. */
export async function sendPublish(plan: PublishPlan, time: Date | undefined): Promise<PublishResult> {
  const { id, kind, updated_at } = plan.experience;
  const of = { kind: pathOfKind(kind), id };
  try {
    const published_at = time?.toISOString() ?? '$now';
    const response = await api('PATCH /v3/edit/{kind}/{id}', { ...of, published_at, updated_at });
    return { kind: 'published', experience: shownIn(response, kind) };
  } catch (error) {
    if (!isConflict(error)) return { kind: 'failed', error };
    const after = plan.lastChangeId;
    const changes = await api('GET /v3/edit/{kind}/{id}/changes', { ...of, limit: 100, ...(after && { after }) })
      .then((response) => response.changes)
      .catch(() => []);
    return { kind: 'changed', changes };
  }
}
