import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { fieldErrors } from '../../../api/describe-error.ts';
import { invalidate } from '../../../api/nouns.ts';
import { query } from '../../../api/queries.ts';
import { ErrorNotice } from '../../../app/error-notice.tsx';
import { confirmLeaving, useUnsavedChanges } from '../../../app/unsaved-changes.ts';
import { useRequest } from '../../../app/use-request.ts';
import { FilterBuilder } from '../../../filters/filter-builder.tsx';
import { PeopleCount } from '../../../filters/people-preview.tsx';
import { useSegmentDraft } from '../../../filters/segment-draft.ts';
import { SegmentNameField } from '../../../filters/segment-name-field.tsx';
import { useKnownSubjects } from '../../../filters/use-filter-names.ts';
import * as text from '../../../messages/text.ts';
import { FormDialog } from '../../../ui/dialog.tsx';

const texts = text.segments;

interface NewSegmentDialogProps {
  onClose: () => void;
  onCreated: (id: string) => void;
}

/** Creates a Segment without leaving the Experience that it is for. */
export function NewSegmentDialog({ onClose, onCreated }: NewSegmentDialogProps) {
  const { names } = useKnownSubjects();
  const draft = useSegmentDraft(undefined, names);
  const client = useQueryClient();
  const { submit, error, isPending } = useRequest(
    async () => {
      const { segment } = await api('POST /v3/edit/segments', draft.params);
      // The list is refetched first, so that it has the name when the Experience uses the Segment.
      await client.refetchQueries(query('GET /v3/edit/segments', { limit: 500 }));
      return segment;
    },
    ({ id }) => {
      void invalidate(client, 'segments');
      onCreated(id);
      onClose();
    },
  );
  useUnsavedChanges(draft.isDirty);
  const wrong = fieldErrors(error, texts.form.fields);
  const close = async () => (await confirmLeaving()) && onClose();
  return (
    <FormDialog
      onClose={close}
      keepsOpen
      size="large"
      title={texts.inTargeting.title}
      description={texts.inTargeting.description}
      onSubmit={submit}
      action={texts.inTargeting.action}
      isPending={isPending}
      isDisabled={draft.unfinished > 0 || draft.value.filters.length === 0}
    >
      {wrong.name === undefined && <ErrorNotice error={error} />}
      <FilterBuilder value={draft.value} onChange={draft.setValue} onUnfinished={draft.setUnfinished} />
      <PeopleCount value={draft.value} />
      <SegmentNameField draft={draft} error={wrong.name} />
    </FormDialog>
  );
}
