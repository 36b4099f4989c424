import { pathOfKind } from '@usher/domain';
import { useState } from 'react';
import { api } from '../../../api/api.ts';
import { showError } from '../../../app/show-error.ts';
import { shownIn } from '../../../editor/document.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import { useShowChanged } from '../../../experiences/use-show-changed.ts';
import { formatNumber, formatTime } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import type { PublishPlan } from '../../../publish/load-plan.ts';
import { showToast } from '../../../ui/toast.tsx';
import { type PublishResult, sendPublish } from './send-publish.ts';

const texts = text.publish.done;

/** Publishes plans one after the other. Returns what happened to each, by ID. */
export function usePublish(editor: Editor | undefined) {
  const [isPending, setPending] = useState(false);
  const showChanged = useShowChanged(editor);
  const run = async (plans: readonly PublishPlan[], time: Date | undefined): Promise<Map<string, PublishResult>> => {
    const results = new Map<string, PublishResult>();
    setPending(true);
    for (const plan of plans) results.set(plan.experience.id, await sendPublish(plan, time));
    setPending(false);
    const published = plans.filter(({ experience: { id } }) => results.get(id)?.kind === 'published');
    for (const result of results.values()) if (result.kind === 'published') await showChanged(result.experience);
    if (published.length > 0) announce(published, time, undoOf(published, showChanged));
    return results;
  };
  return { isPending, run };
}

/**
 * An Experience that was not live before can be unpublished in one click. A new version of a live Experience is undone in
 * the history.
 */
function undoOf(published: readonly PublishPlan[], showChanged: ReturnType<typeof useShowChanged>) {
  if (!published.every(({ experience }) => experience.state === 'draft')) return undefined;
  return () => {
    const all = published.map(async ({ experience: { id, kind } }) => {
      const response = await api('PATCH /v3/edit/{kind}/{id}', { kind: pathOfKind(kind), id, published_at: null });
      await showChanged(shownIn(response, kind));
    });
    Promise.all(all).catch(showError);
  };
}

function announce(published: readonly PublishPlan[], time: Date | undefined, onUndo: (() => void) | undefined): void {
  const [first] = published;
  const name = published.length === 1 && first ? first.experience.name : undefined;
  const count = formatNumber(published.length);
  const at = time && formatTime(time);
  const title = at
    ? name === undefined
      ? texts.scheduledMany(count, at)
      : texts.scheduled(name, at)
    : name === undefined
      ? texts.publishedMany(count)
      : texts.published(name);
  showToast({ title, ...(!at && { description: texts.publishedHelp }), ...(onUndo && { onUndo }) });
}
