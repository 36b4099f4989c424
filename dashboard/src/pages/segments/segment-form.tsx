import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../api/api.ts';
import { fieldErrors } from '../../api/describe-error.ts';
import { isConflict } from '../../api/errors.ts';
import { invalidate } from '../../api/nouns.ts';
import { query } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { Form } from '../../app/form.tsx';
import { useUnsavedChanges, withoutAsking } from '../../app/unsaved-changes.ts';
import { describeFilters } from '../../filters/describe-filters.ts';
import { FilterBuilder } from '../../filters/filter-builder.tsx';
import { PeoplePreview } from '../../filters/people-preview.tsx';
import { filtersOf, type SavedSegment, type SegmentDraft, useSegmentDraft } from '../../filters/segment-draft.ts';
import { SegmentNameField } from '../../filters/segment-name-field.tsx';
import { useKnownSubjects } from '../../filters/use-filter-names.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Notice } from '../../ui/notice.tsx';
import { showToast } from '../../ui/toast.tsx';
import { SegmentUses } from './segment-uses.tsx';
import { templates } from './templates.ts';

const texts = text.segments;

/** The name and the conditions of a Segment, who is in it, and what uses it. */
export function SegmentForm({ saved }: { saved?: SavedSegment }) {
  const { can } = useSession();
  const { names } = useKnownSubjects();
  // The Segment as the person saw it when they began to edit.
  const [seen, setSeen] = useState(saved);
  const draft = useSegmentDraft(saved === undefined ? undefined : (seen ?? saved), names);
  if (!draft.isDirty && saved && seen?.updated_at !== saved.updated_at) setSeen(saved);
  useUnsavedChanges(draft.isDirty);
  const { save, error, isPending, theirs, setTheirs } = useSaveSegment(seen, draft, setSeen);
  const wrong = fieldErrors(error, texts.form.fields);
  const isNew = saved === undefined;
  return (
    <Form onSubmit={() => save()} className="gap-4">
      {theirs && (
        <Notice
          kind="error"
          title={texts.conflict.title}
          action={
            <span className="flex flex-wrap justify-end gap-2">
              <Button
                size="small"
                onPress={() => {
                  draft.reset();
                  setSeen(theirs);
                  setTheirs(undefined);
                }}
              >
                {texts.conflict.theirs}
              </Button>
              <Button size="small" onPress={() => save(theirs)}>
                {texts.conflict.mine}
              </Button>
            </span>
          }
        >
          {texts.conflict.text(theirs.name, describeFilters(filtersOf(theirs), names))}
        </Notice>
      )}
      <div className="grid items-start gap-4 md:grid-cols-[minmax(0,1fr)_18rem]">
        <Card title={texts.form.conditions}>
          {isNew && draft.value.filters.length === 0 && draft.unfinished === 0 && <Templates draft={draft} />}
          <FilterBuilder
            value={draft.value}
            onChange={draft.setValue}
            onUnfinished={draft.setUnfinished}
            isDisabled={!can('edit')}
          />
          <SegmentNameField draft={draft} error={wrong.name} isDisabled={!can('edit')} />
        </Card>
        <div className="flex min-w-0 flex-col gap-4">
          <Card title={texts.people.title}>
            <PeoplePreview value={draft.value} />
          </Card>
          {saved && (
            <Card title={texts.usedTitle}>
              <SegmentUses id={saved.id} />
            </Card>
          )}
        </div>
      </div>
      {can('edit') && (
        <div
          className={cx(
            'bottom-0 z-10 -mx-4 flex flex-col gap-3 bg-ground px-4 py-3',
            draft.isDirty && 'sticky border-t border-line',
          )}
        >
          {wrong.name === undefined && <ErrorNotice error={error} />}
          <div className="flex flex-wrap items-center gap-2">
            <Button
              look="primary"
              type="submit"
              isPending={isPending}
              isDisabled={draft.unfinished > 0 || !(isNew || draft.isDirty)}
            >
              {isNew ? texts.form.create : texts.form.save}
            </Button>
            {!isNew && draft.isDirty && (
              <Button look="quiet" onPress={draft.reset}>
                {text.forms.discard}
              </Button>
            )}
            <p role="status" className={cx('ml-auto text-13', draft.unfinished > 0 ? 'text-warn' : 'text-soft')}>
              {draft.unfinished > 0
                ? text.filters.unfinishedCount(draft.unfinished)
                : draft.isDirty && text.forms.notSaved}
            </p>
          </div>
        </div>
      )}
    </Form>
  );
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-3 rounded-10 border border-line bg-surface p-4">
      <h2 className="text-14 font-semibold">{title}</h2>
      {children}
    </section>
  );
}

function Templates({ draft }: { draft: SegmentDraft }) {
  return (
    <div className="flex flex-col gap-1.5">
      <h3 className="text-13 text-soft">{texts.templatesTitle}</h3>
      <div className="flex flex-wrap gap-2">
        {templates.map(({ id, filter }) => (
          <Button
            key={id}
            size="small"
            onPress={() => draft.setValue({ filters: [filter], filters_op: 'and' })}
            aria-description={texts.templates[id].description}
          >
            {texts.templates[id].name}
          </Button>
        ))}
      </div>
    </div>
  );
}

/**
 * Saves the changed fields. If somebody else has changed the Segment meanwhile, the person chooses whose conditions
 * stay.
 */
function useSaveSegment(seen: SavedSegment | undefined, draft: SegmentDraft, onSaved: (segment: SavedSegment) => void) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const [theirs, setTheirs] = useState<SavedSegment>();
  const create = async () => {
    const { segment } = await api('POST /v3/edit/segments', draft.params);
    showToast({ title: texts.form.created(segment.name) });
    void invalidate(client, 'segments');
    withoutAsking(() => navigate(`/app/segments/${segment.id}`));
  };
  const update = async ({ id, updated_at }: SavedSegment) => {
    const { segment } = await api('PATCH /v3/edit/segments/{id}', { id, ...draft.params, updated_at });
    client.setQueryData(query('GET /v3/edit/segments/{id}', { id }).queryKey, { segment });
    draft.reset();
    onSaved(segment);
    setTheirs(undefined);
    showToast({ title: texts.form.saved(segment.name) });
    void invalidate(client, 'segments');
  };
  /** `over` is the state that is replaced: the one that the person saw, or the one of somebody else. */
  const save = async (over = seen) => {
    if (isPending || draft.unfinished > 0) return;
    setPending(true);
    setError(undefined);
    try {
      await (over ? update(over) : create());
    } catch (error) {
      if (over && isConflict(error)) {
        const { segment } = await client.fetchQuery({
          ...query('GET /v3/edit/segments/{id}', { id: over.id }),
          staleTime: 0,
        });
        setTheirs(segment);
      } else setError(error);
    } finally {
      setPending(false);
    }
  };
  return { save, error, isPending, theirs, setTheirs };
}
