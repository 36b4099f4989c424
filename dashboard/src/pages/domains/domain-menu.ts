import { Archive, ArchiveRestore, ArrowRightLeft, CircleCheck, CircleOff, Eye } from 'lucide-react';
import type { Domain } from '../../api/domains.ts';
import { useSession } from '../../api/session.ts';
import * as text from '../../messages/text.ts';
import type { DomainDialogs } from './domain-list.tsx';
import { domainState } from './domain-state.ts';
import { useChangeDomains } from './use-change-domains.ts';

/** Returns what can be done with a domain, as groups of a menu. */
export function useDomainMenu({ onDetails, onTurnOn, onMove }: DomainDialogs) {
  const { can } = useSession();
  const change = useChangeDomains();
  const texts = text.domains;
  return (domain: Domain) => {
    const state = domainState(domain);
    const details = { id: 'details', label: texts.details, icon: Eye, onAction: () => onDetails(domain) };
    if (!can('edit')) return [{ entries: [details] }];
    const turnOn = { id: 'on', label: texts.turnOnMore, icon: CircleCheck, onAction: () => onTurnOn(domain) };
    const turnOff = {
      id: 'off',
      label: texts.turnOff,
      icon: CircleOff,
      onAction: () => void change([domain], { enabled: 'off' }, texts.done.off(domain.host)),
    };
    const move = { id: 'move', label: texts.move, icon: ArrowRightLeft, onAction: () => onMove(domain) };
    const archive = {
      id: 'archive',
      label: texts.archive,
      icon: Archive,
      onAction: () =>
        void change([domain], { archived_at: new Date().toISOString() }, texts.done.archived(domain.host)),
    };
    const restore = {
      id: 'restore',
      label: texts.restore,
      icon: ArchiveRestore,
      onAction: () => void change([domain], { archived_at: null }, texts.done.restored(domain.host)),
    };
    if (state === 'archived') return [{ entries: [details] }, { entries: [restore] }];
    return [{ entries: [details] }, { entries: [state === 'on' ? turnOff : turnOn, move] }, { entries: [archive] }];
  };
}
