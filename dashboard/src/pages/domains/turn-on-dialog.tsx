import { useState } from 'react';
import type { Domain } from '../../api/domains.ts';
import { showError } from '../../app/show-error.ts';
import * as text from '../../messages/text.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Effect } from './effect.tsx';
import { useChangeDomains } from './use-change-domains.ts';
import type { DomainData } from './use-domain-data.ts';
import { useEnvironmentChoice } from './use-environment-choice.tsx';

/** Turns a domain on, with its Environment chosen in the same step. */
export function TurnOnDialog({ domain, data, onClose }: { domain: Domain; data: DomainData; onClose: () => void }) {
  const texts = text.domains;
  const change = useChangeDomains();
  const environment = useEnvironmentChoice(domain.host, data, { own: domain.url_group_id });
  const [isPending, setPending] = useState(false);
  const submit = async () => {
    setPending(true);
    try {
      const url_group_id = await environment.resolve();
      await change([domain], { enabled: 'on', archived_at: null, url_group_id }, texts.done.on(domain.host));
      onClose();
    } catch (error) {
      showError(error);
      setPending(false);
    }
  };
  return (
    <FormDialog
      onClose={onClose}
      title={texts.turnOnDialog.title(domain.host)}
      onSubmit={submit}
      action={texts.newly.turnOn(text.domains.count(1))}
      isPending={isPending}
      focusesAction={data.current.length === 0}
    >
      {environment.fields(true)}
      <Effect
        places={data.places}
        host={domain.host}
        environmentId={environment.id}
        hasEnvironments={data.current.length > 0}
      />
    </FormDialog>
  );
}
