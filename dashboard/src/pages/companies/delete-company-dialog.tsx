import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api, type ResponseOf } from '../../api/api.ts';
import { invalidate } from '../../api/nouns.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { saveFile } from '../../app/save-file.ts';
import { useRequest } from '../../app/use-request.ts';
import { formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { RadioGroup } from '../../ui/choice.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { CompanyDetails } from './company-page.tsx';

const texts = text.companies.delete;
const OPERATION = 'DELETE /v3/edit/companies/{id}';
/** The dialog lists this many IDs. A longer list is offered as a file. */
const MAX_SHOWN = 20;

type Deleted = ResponseOf<typeof OPERATION>;
type What = 'company' | 'everybody';

/** Deletes a Company, alone or with its people, and shows the Deletions as proof. */
export function DeleteCompanyDialog({ company, onClose }: { company: CompanyDetails; onClose: () => void }) {
  const [what, setWhat] = useState<What>('company');
  const [typed, setTyped] = useState('');
  const [deleted, setDeleted] = useState<Deleted>();
  const { submit, error, isPending } = useRequest(
    // Nothing is refetched before the dialog is closed: the Company is gone, and the page would disappear with the
    // proof.
    () => api(OPERATION, { id: company.id, ...(what === 'everybody' && { cascade: 'profiles' as const }) }),
    setDeleted,
  );
  if (deleted) return <DeletedDialog company={company} deleted={deleted} />;
  const { profiles_count: count, uid, name } = company;
  const mayDelete = what === 'company' || typed.trim() === uid.trim();
  return (
    <Dialog
      isOpen
      role="alertdialog"
      title={texts.title(name ?? uid)}
      onClose={onClose}
      keepsOpen
      onSubmit={() => mayDelete && void submit()}
      buttons={
        <>
          <Button onPress={onClose}>{text.ui.cancel}</Button>
          <Button look="danger" type="submit" isDisabled={!mayDelete} isPending={isPending}>
            {texts.actions[what]}
          </Button>
        </>
      }
    >
      <ErrorNotice error={error} />
      <RadioGroup
        label={texts.what}
        value={what}
        onChange={setWhat}
        options={[
          { value: 'company', ...texts.company },
          {
            value: 'everybody',
            label: texts.everybody.label,
            help: texts.everybody.help(formatNumber(count), count),
          },
        ]}
      />
      <Notice kind="warning">{texts.final}</Notice>
      {what === 'everybody' && (
        <TextField label={text.ui.typeToConfirm(uid)} value={typed} onChange={setTyped} autoFocus autoComplete="off" />
      )}
    </Dialog>
  );
}

function DeletedDialog({ company, deleted }: { company: CompanyDetails; deleted: Deleted }) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const words = text.companies.deleted;
  const ids = (deleted.deletions ?? []).map(({ id }) => id);
  const close = () => {
    navigate('/app/companies', { replace: true });
    void invalidate(client, 'companies', 'profiles');
  };
  const download = () =>
    saveFile(
      new Blob([`${[deleted.deletion.id, ...ids].join('\n')}\n`], { type: 'text/plain' }),
      words.fileName(company.uid),
    );
  return (
    <Dialog
      isOpen
      keepsOpen
      title={ids.length > 0 ? words.titleWithPeople(formatNumber(ids.length), ids.length) : words.title}
      description={words.text}
      onClose={close}
      buttons={
        <>
          {ids.length > 0 && <Button onPress={download}>{words.download}</Button>}
          <Button look="primary" onPress={close} autoFocus>
            {words.done}
          </Button>
        </>
      }
    >
      <CodeBlock label={words.company} code={deleted.deletion.id} />
      {ids.length > 0 && (
        <CodeBlock
          label={words.people(formatNumber(ids.length), ids.length)}
          code={ids.slice(0, MAX_SHOWN).join('\n')}
        />
      )}
      {ids.length > MAX_SHOWN && (
        <p className="text-13 text-soft">{words.more(formatNumber(ids.length - MAX_SHOWN))}</p>
      )}
    </Dialog>
  );
}
