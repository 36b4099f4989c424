import { useState } from 'react';
import { api } from '../../api/api.ts';
import type { Environment } from '../../app/environment.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { showUndo } from '../../app/show-undo.ts';
import { useRequest } from '../../app/use-request.ts';
import * as text from '../../messages/text.ts';
import { RadioGroup } from '../../ui/choice.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { showToast } from '../../ui/toast.tsx';
import { aboutDomains, useReloadDomains } from './use-change-domains.ts';
import type { DomainData } from './use-domain-data.ts';

const { archiveDialog: texts, done } = text.environments;

interface ArchiveEnvironmentDialogProps {
  data: DomainData;
  environment: Environment;
  onClose: () => void;
}

/** Archives an Environment, alone or with its domains. Both can be undone. */
export function ArchiveEnvironmentDialog({ data, environment, onClose }: ArchiveEnvironmentDialogProps) {
  const { id, name } = environment;
  const reload = useReloadDomains();
  const [action, setAction] = useState<'ignore' | 'archive'>('ignore');
  const domains = (data.domains ?? []).filter((one) => one.url_group_id === id && one.archived_at === null);
  const undo = async (updated_at: string) => {
    try {
      await api('PATCH /v3/edit/url_groups/{id}', { id, archived_at: null, updated_at });
      const ids = domains.map((domain) => domain.id);
      if (action === 'archive' && ids.length > 0) await api('POST /v3/edit/urls/batch', { ids, archived_at: null });
    } finally {
      await reload();
    }
    showToast({ title: text.domains.done.undone });
  };
  const { submit, error, isPending } = useRequest(
    () =>
      api('PATCH /v3/edit/url_groups/{id}', {
        id,
        archived_at: new Date().toISOString(),
        urls_action_on_archive: action,
        updated_at: environment.updated_at,
      }).finally(reload),
    ({ url_group: { updated_at } }) => {
      showUndo({
        title: done.archived(name),
        about: [`url_groups/${id}`, ...(action === 'archive' ? aboutDomains(domains) : [])],
        undo: () => undo(updated_at),
      });
      onClose();
    },
  );
  return (
    <FormDialog
      onClose={onClose}
      title={texts.title(name)}
      description={texts.description}
      onSubmit={submit}
      action={texts.action}
      isPending={isPending}
    >
      <ErrorNotice error={error} />
      {domains.length > 0 && (
        <RadioGroup
          label={texts.domains(domains.length)}
          value={action}
          onChange={setAction}
          options={[
            { value: 'ignore', label: texts.keep, help: texts.keepHelp },
            { value: 'archive', label: texts.archive, help: texts.archiveHelp },
          ]}
        />
      )}
    </FormDialog>
  );
}
