import { ArrowRight } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api/api.ts';
import type { Domain, Place } from '../../api/domains.ts';
import { isConflict } from '../../api/errors.ts';
import { useSession } from '../../api/session.ts';
import { EnvironmentBadge } from '../../app/environment-badge.tsx';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { showUndo } from '../../app/show-undo.ts';
import { hasDemoName } from '../../experiences/is-of-demo.ts';
import * as text from '../../messages/text.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { showToast } from '../../ui/toast.tsx';
import { domainState, moveEffect } from './domain-state.ts';
import { EnvironmentSelect } from './environment-select.tsx';
import { MoveEffectList } from './move-effect-list.tsx';
import { aboutDomains, useReloadDomains } from './use-change-domains.ts';
import type { DomainData } from './use-domain-data.ts';

const texts = text.domains.moveDialog;

/** Moves a domain to another Environment, and says what that means for its users before it happens. */
export function MoveDialog({ domain, data, onClose }: { domain: Domain; data: DomainData; onClose: () => void }) {
  const { can } = useSession();
  const others = data.current.filter(({ id }) => id !== domain.url_group_id);
  // With two Environments there is only one to choose, so it is selected.
  const [groupId, setGroupId] = useState<string | null | undefined>(others.length === 1 ? others[0]?.id : undefined);
  // All Experiences but those of the demo are taken along unless the person chooses others.
  const [checked, setChecked] = useState<ReadonlySet<string>>();
  const isChosen = groupId !== undefined && groupId !== domain.url_group_id;
  const from = data.environmentOf(domain);
  const target = data.environmentOf({ url_group_id: groupId ?? null });
  const effect = isChosen ? moveEffect(data.places, domain, groupId) : undefined;
  const mayTake = ({ state }: Place) => state === 'draft' || can('publish');
  const isTaken = (place: Place) => mayTake(place) && (checked ? checked.has(place.id) : !hasDemoName(place));
  const takenIds = (effect?.stops ?? []).filter(isTaken).map(({ id }) => id);
  const stopping = (effect?.stops ?? []).filter((place) => place.state === 'live' && !isTaken(place)).length;
  const move = useMove(domain, onClose);
  return (
    <FormDialog
      onClose={onClose}
      size="medium"
      title={texts.title(domain.host)}
      onSubmit={() => isChosen && move.submit(groupId, takenIds, target?.name ?? text.environments.none)}
      action={
        <>
          <span className="max-w-64 truncate">
            {texts.action(isChosen ? (target?.name ?? text.environments.none) : '…')}
          </span>
          {domainState(domain) === 'on' && stopping > 0 && <span>{texts.stopping(stopping)}</span>}
        </>
      }
      isDisabled={!isChosen}
      isPending={move.isPending}
    >
      {isConflict(move.error) ? (
        <Notice kind="error" title={texts.changed}>
          {texts.changedHelp}
        </Notice>
      ) : (
        <ErrorNotice error={move.error} />
      )}
      <div className="grid items-end gap-3 sm:grid-cols-[1fr_auto_1fr]">
        <div className="flex min-w-0 flex-col gap-1">
          <span className="text-13 font-medium">{texts.from}</span>
          <span className="flex h-8 min-w-0 items-center">
            <EnvironmentBadge environment={from} />
          </span>
        </div>
        <ArrowRight size={16} aria-hidden className="mb-2 text-faint max-sm:hidden" />
        <EnvironmentSelect
          label={texts.environment}
          environments={data.current}
          value={isChosen ? groupId : undefined}
          onChange={(id) => {
            setGroupId(id);
            setChecked(undefined);
          }}
          without={domain.url_group_id}
          autoFocus
        />
      </div>
      {domainState(domain) !== 'on' && <Notice>{texts.isOff}</Notice>}
      {isChosen && groupId === null && <Notice kind="warning">{text.domains.effect.noEnvironment}</Notice>}
      {effect && (
        <MoveEffectList
          effect={effect}
          isOn={domainState(domain) === 'on'}
          from={from}
          target={target}
          otherHosts={(data.domains ?? [])
            .filter((one) => one.id !== domain.id && one.url_group_id === groupId && domainState(one) === 'on')
            .map(({ host }) => host)}
          taken={new Set(takenIds)}
          onTake={setChecked}
          mayTake={mayTake}
        />
      )}
    </FormDialog>
  );
}

/** Sends the move. It can be undone: Experiences that were taken along are removed from the Environment again. */
function useMove(domain: Domain, onClose: () => void) {
  const reload = useReloadDomains();
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const submit = async (groupId: string | null, ids: string[], name: string) => {
    if (isPending) return;
    setPending(true);
    setError(undefined);
    try {
      const { url, experience_ids } = await api('POST /v3/edit/urls/{id}/move', {
        id: domain.id,
        url_group_id: groupId,
        experience_ids: ids,
        updated_at: domain.updated_at,
      });
      const undo = async () => {
        const params = { id: url.id, url_group_id: domain.url_group_id, updated_at: url.updated_at };
        await api('POST /v3/edit/urls/{id}/move', { ...params, removed_experience_ids: experience_ids }).finally(
          reload,
        );
        showToast({ title: text.domains.done.undone });
      };
      showUndo({
        title: text.domains.done.assigned(url.host, name),
        description: texts.takenAlong(experience_ids.length),
        about: aboutDomains([domain]),
        undo,
      });
      onClose();
    } catch (error) {
      setError(error);
    }
    await reload();
    setPending(false);
  };
  return { submit, error, isPending };
}
