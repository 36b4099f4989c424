import { scopes } from '@usher/domain';
import { useState } from 'react';
import { fieldErrors } from '../../api/describe-error.ts';
import { useSend } from '../../api/queries.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { useFields } from '../../app/form.tsx';
import { useUnsavedChanges } from '../../app/unsaved-changes.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, RadioGroup } from '../../ui/choice.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Dialog, FormDialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Select } from '../../ui/select.tsx';
import { TextArea, TextField } from '../../ui/text-field.tsx';
import { type ExpiryPreset, expiresAtOf } from './expiry.ts';
import type { Secret } from './secrets-page.tsx';

const { create: texts, scopes: scopeTexts, shown } = text.secrets;
const presets: readonly ExpiryPreset[] = ['30', '90', '365', 'date', 'never'];

type Wrong = Partial<Record<'name' | 'date' | 'networks', string>>;

/** First asks what the secret may do, then shows the secret once. */
export function CreateDialog({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<{ name: string; secret: string }>();
  if (created) return <ShownSecret {...created} onDone={onClose} />;
  return <CreateForm onClose={onClose} onCreated={setCreated} />;
}

interface CreateFormProps {
  onClose: () => void;
  onCreated: (created: { name: string; secret: string }) => void;
}

function CreateForm({ onClose, onCreated }: CreateFormProps) {
  const { values, bind } = useFields({ name: '', date: '', networks: '' });
  const [scope, setScope] = useState<Secret['scope']>('read');
  const [people, setPeople] = useState(false);
  const [expiry, setExpiry] = useState<ExpiryPreset>('90');
  const [wrong, setWrong] = useState<Wrong>({});
  const create = useSend('POST /v3/edit/secrets');
  const rejected = fieldErrors(create.error, { name: texts.name, networks: texts.networks });
  const readsPeople = scope !== 'ingest';
  const submit = async () => {
    if (create.isPending) return;
    // The code that parses networks is loaded only when it is needed.
    const { readNetworks } = await import('./read-networks.ts');
    const networks = readNetworks(values.networks);
    const expires_at = expiresAtOf(expiry, values.date, Date.now());
    const found: Wrong = {
      ...(values.name.trim() === '' && { name: texts.noName }),
      ...(expires_at === undefined && { date: texts.wrongDate }),
      ...('wrong' in networks && { networks: texts.wrongNetwork(networks.wrong) }),
    };
    setWrong(found);
    if ('wrong' in networks || expires_at === undefined || found.name !== undefined) return;
    const list = networks.networks.length > 0 ? networks.networks : null;
    create.mutate(
      { name: values.name.trim(), scope, people: people && readsPeople, expires_at, networks: list },
      { onSuccess: ({ secret: { name, secret } }) => onCreated({ name, secret: secret ?? '' }) },
    );
  };
  return (
    <FormDialog
      onClose={onClose}
      keepsOpen
      title={texts.title}
      onSubmit={submit}
      action={texts.action}
      isPending={create.isPending}
    >
      {Object.keys(rejected).length === 0 && <ErrorNotice error={create.error} />}
      <TextField
        label={texts.name}
        {...bind('name')}
        placeholder={texts.namePlaceholder}
        help={texts.nameHelp}
        error={wrong.name ?? rejected.name}
        autoComplete="off"
        autoFocus
      />
      <RadioGroup
        label={texts.scope}
        value={scope}
        onChange={setScope}
        options={scopes.map((value) => ({ value, label: scopeTexts[value].name, help: `${scopeTexts[value].help}.` }))}
      />
      {readsPeople && (
        <Checkbox isSelected={people} onChange={setPeople} label={texts.peopleOption} help={texts.peopleHelp} />
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label={texts.expires}
          value={expiry}
          onChange={setExpiry}
          options={presets.map((value) => ({ value, label: texts.presets[value] }))}
          {...(expiry === 'never' && { help: texts.neverHelp })}
        />
        {expiry === 'date' && (
          <TextField label={texts.date} {...bind('date')} type="date" help={texts.dateHelp} error={wrong.date} />
        )}
      </div>
      <TextArea
        label={texts.networks}
        {...bind('networks')}
        rows={2}
        help={texts.networksHelp}
        error={wrong.networks ?? rejected.networks}
        isOptional
      />
    </FormDialog>
  );
}

/** Closes only when the person presses its button, because the secret cannot be shown again. */
function ShownSecret({ name, secret, onDone }: { name: string; secret: string; onDone: () => void }) {
  const [isWarned, setWarned] = useState(false);
  useUnsavedChanges(true);
  return (
    <Dialog
      isOpen
      onClose={() => setWarned(true)}
      keepsOpen
      size="medium"
      title={shown.title}
      description={shown.description}
      buttons={
        <Button look="primary" onPress={onDone}>
          {shown.done}
        </Button>
      }
    >
      {isWarned && <Notice kind="error">{shown.warning}</Notice>}
      <CodeBlock label={shown.label(name)} code={secret} autoFocus />
      <p className="text-13 text-soft">{shown.header}</p>
    </Dialog>
  );
}
