import { useState } from 'react';
import type { Domain } from '../../api/domains.ts';
import * as text from '../../messages/text.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { domainState, moveEffect } from './domain-state.ts';
import { EnvironmentSelect } from './environment-select.tsx';
import { nameDomains, useChangeDomains } from './use-change-domains.ts';
import type { DomainData } from './use-domain-data.ts';

interface AssignDialogProps {
  domains: readonly Domain[];
  data: DomainData;
  onClose: () => void;
}

/** Moves several domains to one Environment. Experiences stay where they are. */
export function AssignDialog({ domains, data, onClose }: AssignDialogProps) {
  const { assignDialog: texts, done, effect } = text.domains;
  const change = useChangeDomains();
  const [groupId, setGroupId] = useState<string | null | undefined>();
  const [isPending, setPending] = useState(false);
  const effects = domains
    .filter((domain) => domainState(domain) === 'on')
    .map((domain) => moveEffect(data.places, domain, groupId ?? null));
  const count = (key: 'starts' | 'stops') =>
    new Set(effects.flatMap((one) => one[key].filter(({ state }) => state === 'live').map(({ id }) => id))).size;
  const submit = async () => {
    if (groupId === undefined) return;
    setPending(true);
    const name = data.environmentOf({ url_group_id: groupId })?.name ?? text.environments.none;
    await change(domains, { url_group_id: groupId }, done.assigned(nameDomains(domains), name));
    onClose();
  };
  return (
    <FormDialog
      onClose={onClose}
      title={texts.title(domains.length)}
      onSubmit={submit}
      action={texts.action(domains.length)}
      isDisabled={groupId === undefined}
      isPending={isPending}
    >
      <EnvironmentSelect
        label={texts.environment}
        environments={data.current}
        value={groupId}
        onChange={setGroupId}
        autoFocus
      />
      <div aria-live="polite" className="flex flex-col gap-2">
        {groupId !== undefined && (
          <Notice kind={count('starts') + count('stops') > 0 ? 'warning' : 'info'}>
            {texts.effect(count('starts'), count('stops'))}
            {groupId === null && ` ${effect.noEnvironment}`}
          </Notice>
        )}
      </div>
    </FormDialog>
  );
}
