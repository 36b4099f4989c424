import { useQuery } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { Suspense, useState } from 'react';
import { query } from '../../../api/queries.ts';
import { useSession } from '../../../api/session.ts';
import { lazyComponent } from '../../../app/lazy-component.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import { fieldMark } from '../../../fields/field-focus.ts';
import { type Fields, fieldsOf } from '../../../fields/fields-of.ts';
import { ShortCount } from '../../../filters/short-count.tsx';
import * as text from '../../../messages/text.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { ComboBox } from '../../../ui/combo-box.tsx';
import { Select } from '../../../ui/select.tsx';

const texts = text.targeting.people;
const MAX_SEGMENTS = 20;
const COUNTING_MS = 2000;
const NewSegmentDialog = lazyComponent(() =>
  import('./new-segment-dialog.tsx').then((module) => module.NewSegmentDialog),
);

/** The Segments whose people see the Experience, and the Segments whose people never do. */
export function SegmentFields({ editor }: { editor: Editor }) {
  const fields = fieldsOf(editor, '', editor.document);
  return (
    <>
      {editor.document.segment_ids.length > 1 && (
        <Select
          label={texts.op}
          options={(['or', 'and'] as const).map((value) => ({ value, label: texts.ops[value] }))}
          {...fields.choice('segments_op')}
        />
      )}
      <SegmentList
        editor={editor}
        fields={fields}
        name="segment_ids"
        title={texts.segments}
        empty={texts.everybody}
        add={texts.add}
      />
      <SegmentList
        editor={editor}
        fields={fields}
        name="excluded_segment_ids"
        title={texts.excluded}
        empty={texts.nobody}
        add={texts.addExcluded}
      />
    </>
  );
}

interface SegmentListProps {
  editor: Editor;
  fields: Fields;
  name: 'segment_ids' | 'excluded_segment_ids';
  title: string;
  empty: string;
  add: string;
}

function SegmentList({ editor, fields, name, title, empty, add }: SegmentListProps) {
  const { data } = useQuery(query('GET /v3/edit/segments', { limit: 500 }));
  const { can } = useSession();
  const [isCreating, setCreating] = useState(false);
  const segments = data?.segments ?? [];
  const ids = editor.document[name];
  const set = (next: string[]) => fields.set({ [name]: next });
  const others = segments.filter(({ id }) => !ids.includes(id));
  const nameOf = (id: string) => segments.find((one) => one.id === id)?.name ?? (data ? texts.gone : '…');
  return (
    <fieldset aria-label={title} className="flex min-w-0 flex-col gap-1.5" {...fieldMark('', name)}>
      <h3 className="text-13 font-medium">{title}</h3>
      {ids.length === 0 && <p className="text-14 text-soft">{empty}</p>}
      <ul className="flex flex-col gap-1 empty:hidden">
        {ids.map((id) => (
          <li key={id} className="flex min-h-8 items-center gap-2 rounded-6 border border-line py-0.5 pr-0.5 pl-2.5">
            <bdi className="min-w-0 flex-1 truncate">{nameOf(id)}</bdi>
            <SegmentCount id={id} />
            {!editor.isReadOnly && (
              <IconButton
                icon={X}
                size="small"
                label={texts.remove(nameOf(id))}
                onPress={() => set(ids.filter((one) => one !== id))}
              />
            )}
          </li>
        ))}
      </ul>
      {!editor.isReadOnly && ids.length < MAX_SEGMENTS && (
        <div className="flex flex-wrap items-center gap-2">
          {others.length > 0 && (
            <ComboBox
              // The key empties the field after it has added a Segment.
              key={ids.join()}
              label={add}
              placeholder={add}
              options={others.map((one) => ({ value: one.id, label: one.name }))}
              value={null}
              onChange={(id) => id !== null && set([...ids, id])}
              className="min-w-40 flex-1 [&>:first-child]:sr-only"
            />
          )}
          {name === 'segment_ids' && can('edit') && (
            <Button icon={Plus} onPress={() => setCreating(true)}>
              {texts.create}
            </Button>
          )}
        </div>
      )}
      <Suspense fallback={null}>
        {isCreating && <NewSegmentDialog onClose={() => setCreating(false)} onCreated={(id) => set([...ids, id])} />}
      </Suspense>
    </fieldset>
  );
}

/** How many people are in a Segment now. */
function SegmentCount({ id }: { id: string }) {
  const { data } = useQuery({
    ...query('GET /v3/analyze/profiles/count', { segment_id: id, without_test_users: true, within_ms: COUNTING_MS }),
    staleTime: 60_000,
    retry: 2,
  });
  return <span className="shrink-0 text-13 text-soft">{data && <ShortCount counted={data} />}</span>;
}
