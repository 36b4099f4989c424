import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError } from '../../api/errors.ts';
import { query, useSend } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { FormSkeleton } from '../../app/form-skeleton.tsx';
import { FullPageMessage } from '../../app/full-page-message.tsx';
import { Page } from '../../app/page.tsx';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Link } from '../../ui/link.tsx';
import { ImportResult } from './import-result.tsx';
import { type ImportRecord, ImportState, isRunning, stateOf } from './import-state.tsx';
import { StartForm } from './start-form.tsx';

const texts = text.imports;
const RUNNING_MS = 1000;

/** One import: before it starts its columns, then how far it is, then what it has done. */
export default function ImportPage({ params: { id = '' } }: { params: Record<string, string> }) {
  const { data, error } = useQuery({
    ...query('GET /v3/edit/imports/{id}', { id }),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data.import) ? RUNNING_MS : false),
  });
  if (error instanceof ApiError && error.status === 404)
    return (
      <FullPageMessage title={texts.gone.title} action={<Link href="/app/imports">{texts.gone.action}</Link>}>
        {texts.gone.text}
      </FullPageMessage>
    );
  if (!data)
    return (
      <Page title={texts.one}>
        {error ? <ErrorNotice error={error} /> : <FormSkeleton label={texts.one} heights={[240]} />}
      </Page>
    );
  return <ShownImport key={id} record={data.import} />;
}

function ShownImport({ record }: { record: ImportRecord }) {
  const { can } = useSession();
  const { name, kind, model_kind, stats } = record;
  const state = stateOf(record);
  const href = model_kind === 'company' ? '/app/imports?of=company' : '/app/imports';
  return (
    <Page
      title={name}
      parent={{ href, label: texts.title[model_kind] }}
      intro={
        <span className="flex flex-wrap items-center gap-2">
          {texts.kinds[kind]} <ImportState record={record} />
        </span>
      }
      {...(can('edit') && { actions: <RemoveButton record={record} listHref={href} /> })}
    >
      {(record.import_at !== null || stats.last_import_state !== null) && <ImportResult record={record} />}
      {record.import_at === null && can('edit') && <StartForm record={record} />}
      {state === 'error' && can('edit') && <GoOnButton record={record} />}
      {!can('edit') && <p className="text-14 text-soft">{texts.readOnly}</p>}
    </Page>
  );
}

/** Goes on where the import has stopped. */
function GoOnButton({ record: { id, stats } }: { record: ImportRecord }) {
  const start = useSend('PATCH /v3/edit/imports/{id}');
  return (
    <>
      <ErrorNotice error={start.error} />
      <Button
        look="primary"
        className="self-start"
        isPending={start.isPending}
        onPress={() => start.mutate({ id, import_at: '$now', ...(stats.is_dry_run && { dry_run: true }) })}
      >
        {texts.result.goOn}
      </Button>
    </>
  );
}

function RemoveButton({ record, listHref }: { record: ImportRecord; listHref: string }) {
  const [, navigate] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const remove = useSend('DELETE /v3/edit/imports/{id}');
  const action = isRunning(record) ? texts.stop : texts.remove;
  return (
    <>
      <Button icon={Trash2} onPress={() => setOpen(true)}>
        {action}
      </Button>
      <Dialog
        isOpen={isOpen}
        role="alertdialog"
        title={texts.removeDialog.title}
        description={isRunning(record) ? texts.removeDialog.running : texts.removeDialog.text}
        onClose={() => setOpen(false)}
        buttons={
          <>
            <Button onPress={() => setOpen(false)}>{text.ui.cancel}</Button>
            <Button
              look="danger"
              isPending={remove.isPending}
              onPress={() =>
                remove.mutate({ id: record.id }, { onSuccess: () => navigate(listHref, { replace: true }) })
              }
            >
              {action}
            </Button>
          </>
        }
      >
        <ErrorNotice error={remove.error} />
      </Dialog>
    </>
  );
}
