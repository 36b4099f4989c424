import { useState } from 'react';
import { api } from '../../../api/api.ts';
import { useEnvironment } from '../../../app/environment.ts';
import { ErrorNotice } from '../../../app/error-notice.tsx';
import { showError } from '../../../app/show-error.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import { useShowChanged } from '../../../experiences/use-show-changed.ts';
import { formatNumber, formatTime } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import { isUpToDate, type PublishPlan, type ToPublish } from '../../../publish/load-plan.ts';
import { PublishSection } from '../../../publish/publish-section.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Link } from '../../../ui/link.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { useGoToField } from './go-to-field.ts';
import { MeanwhileNotice } from './meanwhile-notice.tsx';
import type { PublishResult } from './send-publish.ts';
import { type LoadedPlan, NotSavedError, usePlans } from './use-plans.ts';
import { usePublish } from './use-publish.ts';
import { timeOf, type When, WhenField, whenProblem } from './when-field.tsx';

const texts = text.publish;

interface PublishDialogProps {
  /** The Experience of the page, or the Experiences that are selected in the list. */
  experiences: readonly ToPublish[];
  /** The editor of the page, if the Experience is open there. Its unsaved changes are saved first. */
  editor?: Editor;
  onClose: () => void;
}

/**
 * The only way to publish. It says what changes, whom it reaches and what could go wrong. Its one button says what it
 * does.
 */
export function PublishDialog({ experiences, editor, onClose }: PublishDialogProps) {
  const [left, setLeft] = useState(experiences);
  const [round, setRound] = useState(0);
  const [results, setResults] = useState<ReadonlyMap<string, PublishResult>>(new Map());
  const [publishedCount, setPublishedCount] = useState(0);
  const [when, setWhen] = useState<When>({ is: 'now' });
  const loaded = usePlans(left, editor, round);
  const { isPending, run } = usePublish(editor);
  const showChanged = useShowChanged(editor);
  const { environments } = useEnvironment();
  const ready = loaded.flatMap(({ plan }) => (plan && isPublishable(plan) ? [plan] : []));
  const isLoading = loaded.some(({ plan, error }) => !plan && !error);
  const problem = whenProblem(when);
  // The Experiences that are left after the others were published have problems, so there is nothing to publish.
  const hasAction = publishedCount === 0 || ready.length > 0;
  const publish = async () => {
    const results = await run(ready, timeOf(when));
    const published = [...results.values()].filter(({ kind }) => kind === 'published').length;
    // Experiences with problems stay in the list, so that nobody believes that they are published.
    const remaining = loaded
      .filter(({ of: { id }, plan }) => results.get(id)?.kind !== 'published' && !(plan && isUpToDate(plan)))
      .map(({ of }) => of);
    setPublishedCount(publishedCount + published);
    if (remaining.length === 0) return onClose();
    setResults(results);
    setLeft(remaining);
    setRound(round + 1);
  };
  const moveBefore = async (id: string, before_id: string) => {
    try {
      await api('PATCH /v3/edit/experiences/order', { id, before_id });
      await showChanged();
      setRound(round + 1);
    } catch (error) {
      showError(error);
    }
  };
  const [only] = experiences;
  const count = formatNumber(experiences.length);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="large"
      title={experiences.length === 1 && only ? texts.title(only.name) : texts.titleMany(count)}
      buttons={
        <>
          <Button onPress={onClose}>{publishedCount > 0 ? text.ui.close : text.ui.cancel}</Button>
          {hasAction && (
            <Button
              look="primary"
              isPending={isPending}
              isDisabled={isLoading || ready.length === 0 || problem !== undefined}
              onPress={publish}
            >
              {describeAction(ready, experiences.length > 1, timeOf(when), environments)}
            </Button>
          )}
        </>
      }
    >
      {publishedCount > 0 && (
        <Notice kind="warning">{texts.partly(formatNumber(publishedCount), publishedCount === 1)}</Notice>
      )}
      {loaded.map((one) => (
        <OneExperience
          key={one.of.id}
          loaded={one}
          result={results.get(one.of.id)}
          hasName={experiences.length > 1}
          editor={editor}
          onClose={onClose}
          onMoveBefore={(other) => moveBefore(one.of.id, other)}
        />
      ))}
      {ready.length > 0 && (
        <div className="border-t border-line pt-4">
          <WhenField when={when} onChange={setWhen} {...(problem !== undefined && { error: problem })} />
        </div>
      )}
    </Dialog>
  );
}

function isPublishable(plan: PublishPlan): boolean {
  return plan.check.problems.length === 0 && !isUpToDate(plan);
}

/** "Publish to Production now", "Publish on Nov 20, 2026, 9:00 AM". */
function describeAction(
  ready: readonly PublishPlan[],
  isMany: boolean,
  time: Date | undefined,
  environments: readonly { name: string }[],
): string {
  const { action } = texts;
  const count = formatNumber(ready.length);
  if (time) return isMany ? action.laterMany(ready.length, count, formatTime(time)) : action.later(formatTime(time));
  if (isMany) return action.nowMany(ready.length, count);
  const chosen = ready[0]?.experience.url_groups ?? [];
  // Without a choice the Experience shows in all Environments, which is a single one in most accounts.
  const groups = chosen.length === 0 && environments.length === 1 ? environments : chosen;
  const [first] = groups;
  if (!first) return action.nowEverywhere;
  return groups.length === 1 ? action.nowTo(shorten(first.name)) : action.nowToMany(formatNumber(groups.length));
}

const MAX_NAME = 32;

/** Shortens a name, so that the button keeps its place. The whole name stands above it. */
function shorten(name: string): string {
  return name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME - 1)}…`;
}

interface OneExperienceProps {
  loaded: LoadedPlan;
  result: PublishResult | undefined;
  hasName: boolean;
  editor: Editor | undefined;
  onClose: () => void;
  onMoveBefore: (otherId: string) => void;
}

function OneExperience({ loaded, result, hasName, editor, onClose, onMoveBefore }: OneExperienceProps) {
  const { of, plan, error } = loaded;
  const goTo = useGoToField(of.id);
  const closeAndGo = (path: string) => {
    const go = goTo(path);
    if (!go) return undefined;
    return () => {
      onClose();
      go();
    };
  };
  return (
    <div className="flex flex-col gap-4 not-first:border-t not-first:border-line not-first:pt-4">
      {hasName && (
        <h3 className="text-16 font-semibold wrap-anywhere">
          <Link href={`/app/experiences/${of.id}`}>
            <bdi>{of.name}</bdi>
          </Link>
        </h3>
      )}
      {result?.kind === 'failed' && <ErrorNotice error={result.error} title={texts.failed(of.name)} />}
      {result?.kind === 'changed' && <MeanwhileNotice changes={result.changes} kind={of.kind} />}
      {error instanceof NotSavedError ? (
        <Notice kind="error" title={texts.notSaved.title}>
          {editor && editor.clashes.length > 0 ? texts.notSaved.clash : texts.notSaved.text}
        </Notice>
      ) : (
        <ErrorNotice error={error} />
      )}
      {!plan && !error && (
        <div role="status" aria-label={text.ui.loading(texts.loading)} className="flex flex-col gap-3">
          <Skeleton width="30%" />
          <Skeleton height={120} />
          <Skeleton width="50%" />
        </div>
      )}
      {plan && <PublishSection plan={plan} goTo={closeAndGo} onMoveBefore={onMoveBefore} />}
    </div>
  );
}
