import { useState } from 'react';
import { api } from '../../api/api.ts';
import { ApiError } from '../../api/errors.ts';
import { useEnvironment } from '../../app/environment.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { useRequest } from '../../app/use-request.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/choice.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { showToast } from '../../ui/toast.tsx';
import { Effect } from './effect.tsx';
import { isLoopback, parseHost } from './parse-host.ts';
import { useReloadDomains } from './use-change-domains.ts';
import type { DomainData } from './use-domain-data.ts';
import { useEnvironmentChoice } from './use-environment-choice.tsx';

interface AddDomainDialogProps {
  data: DomainData;
  onClose: () => void;
  /** Is called to show a domain that is in the list already. */
  onShow: (host: string) => void;
}

export function AddDomainDialog({ data, onClose, onShow }: AddDomainDialogProps) {
  const { addDialog: texts, done } = text.domains;
  const chosen = useEnvironment().environment;
  const reload = useReloadDomains();
  const [typed, setTyped] = useState('');
  const [withSubdomains, setWithSubdomains] = useState(false);
  const [isChecked, setChecked] = useState(false);
  const parsed = parseHost(typed);
  const host = parsed?.host ?? '';
  const environment = useEnvironmentChoice(host, data, { fallback: chosen?.id ?? null });
  const isSubdomains = withSubdomains || parsed?.hasSubdomains === true;
  const exists = data.domains?.some((domain) => domain.host === host) ?? false;
  const { submit, error, isPending } = useRequest(
    async () => {
      try {
        const url_group_id = await environment.resolve();
        return await api('POST /v3/edit/urls', { host, enabled: isSubdomains ? 'subdomain' : 'on', url_group_id });
      } finally {
        await reload();
      }
    },
    ({ url }) => {
      showToast({ title: done.added(url.host) });
      onClose();
    },
  );
  const isTaken = error instanceof ApiError && error.status === 409;
  return (
    <FormDialog
      onClose={onClose}
      title={texts.title}
      description={texts.description}
      keepsOpen={typed !== ''}
      onSubmit={() => {
        setChecked(true);
        if (parsed && !exists) void submit();
      }}
      action={texts.action}
      isPending={isPending}
    >
      {!isTaken && <ErrorNotice error={error} />}
      <TextField
        label={texts.host}
        value={typed}
        onChange={(value) => {
          setTyped(value);
          setChecked(false);
        }}
        placeholder={texts.placeholder}
        help={host && host !== typed.trim() ? texts.added(host) : texts.help}
        error={isChecked && !parsed ? texts.invalid : undefined}
        autoFocus
        autoComplete="off"
        spellCheck="false"
        inputMode="url"
      />
      {(exists || isTaken) && (
        <Notice
          kind="warning"
          action={
            <Button size="small" onPress={() => onShow(host)}>
              {texts.show}
            </Button>
          }
        >
          {texts.exists}
        </Notice>
      )}
      {isLoopback(host) && <p className="text-13 text-soft">{texts.localhost}</p>}
      <Checkbox
        label={texts.subdomains}
        help={texts.subdomainsHelp(host || texts.placeholder)}
        isSelected={isSubdomains}
        onChange={setWithSubdomains}
      />
      {environment.fields()}
      {parsed && !exists && (
        <Effect
          places={data.places}
          host={host}
          environmentId={environment.id}
          hasEnvironments={data.current.length > 0}
        />
      )}
    </FormDialog>
  );
}
