import { useState } from 'react';
import type { Domain } from '../../api/domains.ts';
import * as text from '../../messages/text.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Effect } from './effect.tsx';
import { EnvironmentSelect } from './environment-select.tsx';
import { useChangeDomains } from './use-change-domains.ts';
import type { DomainData } from './use-domain-data.ts';

/** Turns a domain on, with its Environment chosen in the same step. */
export function TurnOnDialog({ domain, data, onClose }: { domain: Domain; data: DomainData; onClose: () => void }) {
  const texts = text.domains;
  const change = useChangeDomains();
  const [groupId, setGroupId] = useState(domain.url_group_id);
  const [isPending, setPending] = useState(false);
  const submit = async () => {
    setPending(true);
    await change([domain], { enabled: 'on', archived_at: null, url_group_id: groupId }, texts.done.on(domain.host));
    onClose();
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
      {data.current.length > 0 && (
        <EnvironmentSelect
          label={texts.turnOnDialog.environment}
          environments={data.current}
          value={groupId}
          onChange={setGroupId}
          autoFocus
        />
      )}
      <Effect
        places={data.places}
        host={domain.host}
        environmentId={groupId}
        hasEnvironments={data.current.length > 0}
      />
    </FormDialog>
  );
}
