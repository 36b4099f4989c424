import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ParamsOf, ResponseOf } from '../../api/api.ts';
import { query, useSend } from '../../api/queries.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { FormSkeleton } from '../../app/form-skeleton.tsx';
import { Section } from '../../app/page.tsx';
import { FilterBuilder } from '../../filters/filter-builder.tsx';
import type { FilterSet } from '../../filters/filter-set.ts';
import { PeoplePreview } from '../../filters/people-preview.tsx';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { ImportRecord } from './import-state.tsx';
import { MappingForm } from './mapping-form.tsx';

const texts = text.imports;
type Preview = ResponseOf<'GET /v3/edit/imports/{id}/preview'>['preview'];
type Changes = Omit<ParamsOf<'PATCH /v3/edit/imports/{id}'>, 'id'>;

/** What an import needs before it starts, and the buttons that try and start it. */
export function StartForm({ record }: { record: ImportRecord }) {
  const isByFile = record.kind.endsWith('_csv');
  const { data, error } = useQuery({
    ...query('GET /v3/edit/imports/{id}/preview', { id: record.id }),
    enabled: isByFile,
  });
  if (!isByFile) return <FilterForm record={record} />;
  if (error) return <ErrorNotice error={error} />;
  if (!data) return <FormSkeleton label={texts.mapping.title} heights={[240]} />;
  if (data.preview.rows.length === 0) return <Notice kind="warning">{texts.noFile}</Notice>;
  return <FileForm record={record} preview={data.preview} />;
}

function FileForm({ record, preview }: { record: ImportRecord; preview: Preview }) {
  const saved = record.properties.length > 0 ? record.properties : preview.properties;
  const [props, setProps] = useState<Record<string, string>>(() =>
    Object.fromEntries(saved.map(({ name, prop }) => [name, prop])),
  );
  const [onMissing, setOnMissing] = useState(record.on_model_missing);
  const mapped = preview.head_columns.flatMap((name) => {
    const prop = (props[name] ?? '').trim();
    return prop === '' ? [] : { name, prop };
  });
  const creates = record.kind !== 'delete_csv';
  return (
    <>
      <Section title={texts.mapping.title} intro={texts.mapping.intro}>
        <MappingForm
          columns={preview.head_columns}
          rows={preview.rows}
          props={props}
          onChange={setProps}
          onMissing={creates ? onMissing : undefined}
          onMissingChange={setOnMissing}
        />
      </Section>
      <StartButtons record={record} changes={{ properties: mapped, on_model_missing: onMissing }} />
    </>
  );
}

interface StartButtonsProps {
  record: ImportRecord;
  changes: Changes;
  isReady?: boolean;
}

/** Who the import is for, chosen as for a Segment. */
function FilterForm({ record }: { record: ImportRecord }) {
  const [value, setValue] = useState(() => toFilterSet(record));
  const [unfinished, setUnfinished] = useState(0);
  const isCompany = record.model_kind === 'company';
  const changes = {
    filters: value.filters as unknown as Changes['filters'] & object,
    filters_op: value.filters_op,
    segment_ids: [],
    excluded_segment_ids: [],
  };
  return (
    <>
      <Section title={texts.conditions.title} intro={texts.conditions.intro}>
        <div className="grid items-start gap-4 md:grid-cols-[minmax(0,1fr)_18rem]">
          <FilterBuilder value={value} onChange={setValue} onUnfinished={setUnfinished} isCompany={isCompany} />
          {!isCompany && value.filters.length > 0 && <PeoplePreview value={value} />}
        </div>
      </Section>
      <StartButtons record={record} changes={changes} isReady={value.filters.length > 0 && unfinished === 0} />
    </>
  );
}

/** Segments that were chosen by the API become conditions. */
function toFilterSet({ filters_op, ...record }: ImportRecord): FilterSet {
  const filters = record.filters as unknown as FilterSet['filters'];
  const inSegment = (op: 'ex' | 'nx') => (value: string) => ({ kind: 'segment' as const, op, value });
  const wanted = record.segment_ids.map(inSegment('ex'));
  const excluded = record.excluded_segment_ids.map(inSegment('nx'));
  if (wanted.length + excluded.length === 0) return { filters, filters_op };
  const groups: FilterSet[] = [
    { filters, filters_op },
    { filters: wanted, filters_op: record.segments_op },
  ];
  const inGroups = groups.flatMap((group) =>
    group.filters.length > 1 && group.filters_op === 'or' ? [{ kind: 'group' as const, ...group }] : group.filters,
  );
  return { filters: [...inGroups, ...excluded], filters_op: 'and' };
}

function StartButtons({ record, changes, isReady = true }: StartButtonsProps) {
  const [isAsking, setAsking] = useState(false);
  const send = useSend('PATCH /v3/edit/imports/{id}', ['profiles', 'companies', 'properties']);
  const start = (dry_run: boolean) =>
    send.mutate({ id: record.id, ...changes, import_at: '$now', dry_run }, { onSettled: () => setAsking(false) });
  const deletes = record.kind === 'delete_csv' || record.kind === 'delete_filters';
  return (
    <>
      <ErrorNotice error={send.error} />
      <div className="flex flex-wrap gap-2">
        <Button isDisabled={!isReady} isPending={send.isPending && !isAsking} onPress={() => start(true)}>
          {texts.dryRun}
        </Button>
        <Button
          look={deletes ? 'danger' : 'primary'}
          isDisabled={send.isPending || !isReady}
          onPress={() => (deletes ? setAsking(true) : start(false))}
        >
          {deletes ? texts.start.delete : texts.start.update}
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          name={record.name}
          isPending={send.isPending}
          onConfirm={() => start(false)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

interface ConfirmDialogProps {
  name: string;
  isPending: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** What an import deletes cannot be brought back, so its name must be typed. */
function ConfirmDialog({ name, isPending, onConfirm, onClose }: ConfirmDialogProps) {
  const [typed, setTyped] = useState('');
  const mayDelete = typed.trim() === name.trim();
  return (
    <Dialog
      isOpen
      keepsOpen
      role="alertdialog"
      title={texts.startDialog.title}
      description={texts.startDialog.text}
      onClose={onClose}
      onSubmit={() => mayDelete && onConfirm()}
      buttons={
        <>
          <Button onPress={onClose}>{text.ui.cancel}</Button>
          <Button look="danger" type="submit" isDisabled={!mayDelete} isPending={isPending}>
            {texts.startDialog.confirm}
          </Button>
        </>
      }
    >
      <TextField label={text.ui.typeToConfirm(name)} value={typed} onChange={setTyped} autoFocus autoComplete="off" />
    </Dialog>
  );
}
