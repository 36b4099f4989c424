import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { useLocation } from 'wouter';
import { api, upload } from '../../api/api.ts';
import { invalidate } from '../../api/nouns.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { useRequest } from '../../app/use-request.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { RadioGroup } from '../../ui/choice.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { ImportModel, ImportRecord } from './import-state.tsx';

const texts = text.imports.dialog;
type Kind = ImportRecord['kind'];
const fileKinds: readonly Kind[] = ['update_csv', 'tag_csv', 'delete_csv'];
const kindsOf: Record<ImportModel, readonly Kind[]> = {
  profile: [...fileKinds, 'tag_filters', 'delete_filters'],
  company: fileKinds,
};

/** Creates an import, with its file if it has one, and opens it. Nothing starts yet. */
export function NewImportDialog({ model, onClose }: { model: ImportModel; onClose: () => void }) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [name, setName] = useState('');
  const [kind, setKind] = useState<Kind>('update_csv');
  const [file, setFile] = useState<File>();
  const [isChecked, setChecked] = useState(false);
  const isByFile = fileKinds.includes(kind);
  const isReady = name.trim() !== '' && (!isByFile || file !== undefined);
  const { submit, error, isPending } = useRequest(
    async () => {
      const params = { name: name.trim(), kind, model_kind: model };
      if (isByFile && file) return upload('POST /v3/edit/imports', params, [file]);
      return api('POST /v3/edit/imports', params);
    },
    ({ import: made }) => {
      void invalidate(client, 'imports');
      navigate(`/app/imports/${made.id}`);
    },
  );
  const send = () => {
    setChecked(true);
    if (isReady) void submit();
  };
  const choose = (files: FileList | null) => {
    const [chosen] = files ?? [];
    if (!chosen) return;
    setFile(chosen);
    if (name.trim() === '') setName(chosen.name.replace(/\.\w{2,5}$/, ''));
  };
  return (
    <Dialog
      isOpen
      keepsOpen
      size="medium"
      title={texts.title}
      onClose={onClose}
      onSubmit={send}
      buttons={
        <>
          <Button onPress={onClose}>{text.ui.cancel}</Button>
          <Button look="primary" type="submit" isPending={isPending}>
            {texts.create}
          </Button>
        </>
      }
    >
      <ErrorNotice error={error} />
      <RadioGroup
        label={texts.kind}
        value={kind}
        onChange={setKind}
        options={kindsOf[model].map((value) => ({
          value,
          label: text.imports.kinds[value],
          help: text.imports.kindHelp[value],
        }))}
      />
      {isByFile && <FileField file={file} isMissing={isChecked && !file} onSelect={choose} />}
      <TextField
        label={texts.name}
        help={texts.nameHelp}
        value={name}
        onChange={setName}
        maxLength={255}
        autoComplete="off"
        {...(isChecked && name.trim() === '' && { error: texts.noName })}
      />
      <p role="status" className="text-13 text-soft empty:hidden">
        {isPending && isByFile ? texts.pending : ''}
      </p>
    </Dialog>
  );
}

interface FileFieldProps {
  file: File | undefined;
  isMissing: boolean;
  onSelect: (files: FileList | null) => void;
}

function FileField({ file, isMissing, onSelect }: FileFieldProps) {
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 text-13 font-medium">{texts.file}</legend>
      <div className="flex min-w-0 items-center gap-3">
        <FileTrigger acceptedFileTypes={['.csv', '.tsv', '.txt', 'text/csv']} onSelect={onSelect}>
          <Button>{texts.chooseFile}</Button>
        </FileTrigger>
        {file && <bdi className="min-w-0 truncate text-14">{file.name}</bdi>}
      </div>
      <p className="text-13 text-soft">{texts.fileHelp}</p>
      {isMissing && (
        <p role="alert" className="text-13 text-bad">
          {texts.noFile}
        </p>
      )}
    </fieldset>
  );
}
