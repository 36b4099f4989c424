import { useState } from 'react';
import type { Domain } from '../../api/domains.ts';
import { useSession } from '../../api/session.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { Page } from '../../app/page.tsx';
import { text } from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { AddDomainDialog } from './add-domain-dialog.tsx';
import { AssignDialog } from './assign-dialog.tsx';
import { DetailsDialog } from './details-dialog.tsx';
import { DomainList } from './domain-list.tsx';
import { domainState } from './domain-state.ts';
import { EnvironmentDialog } from './environment-dialog.tsx';
import { EnvironmentList } from './environment-list.tsx';
import { useListAddress } from './list-address.ts';
import { MoveDialog } from './move-dialog.tsx';
import { NewDomains } from './new-domains.tsx';
import { TurnOnDialog } from './turn-on-dialog.tsx';
import { type DomainData, useDomainData } from './use-domain-data.ts';

const texts = text.domains;

type Open =
  | { dialog: 'add' }
  | { dialog: 'add-environment' }
  | { dialog: 'details' | 'turn-on' | 'move'; id: string }
  | { dialog: 'assign'; ids: string[] };

export default function DomainsPage() {
  const data = useDomainData();
  const { can } = useSession();
  const { get, set } = useListAddress();
  const [open, setOpen] = useState<Open | undefined>();
  const tab = get('tab') === 'environments' ? 'environments' : 'domains';
  const add = () => setOpen({ dialog: tab === 'domains' ? 'add' : 'add-environment' });
  const addLabel = tab === 'domains' ? texts.add : text.environments.add;
  useShortcuts(can('edit') ? [{ keys: 'c', label: addLabel, onPress: add }] : []);
  const of = (dialog: 'details' | 'turn-on' | 'move') => (domain: Domain) => setOpen({ dialog, id: domain.id });
  const newly = (data.domains ?? []).filter((domain) => domainState(domain) === 'new');
  return (
    <Page
      title={texts.title}
      intro={tab === 'domains' ? texts.intro : text.environments.intro}
      {...(can('edit') && {
        actions: (
          <Button look="primary" onPress={add}>
            {addLabel}
          </Button>
        ),
      })}
    >
      <ErrorNotice error={data.error} />
      <Tabs
        label={texts.tabs.label}
        selected={tab}
        onSelect={(id) => set({ tab: id === 'domains' ? '' : id })}
        tabs={[
          {
            id: 'domains',
            label: texts.tabs.domains,
            content: (
              <div className="flex flex-col gap-5">
                {get('state') !== 'new' && (
                  <NewDomains domains={newly} onTurnOn={of('turn-on')} onShowAll={() => set({ state: 'new' })} />
                )}
                <DomainList
                  data={data}
                  onDetails={of('details')}
                  onTurnOn={of('turn-on')}
                  onMove={of('move')}
                  onAssign={(domains) => setOpen({ dialog: 'assign', ids: domains.map(({ id }) => id) })}
                  onAdd={() => setOpen({ dialog: 'add' })}
                />
              </div>
            ),
          },
          {
            id: 'environments',
            label: texts.tabs.environments,
            content: <EnvironmentList data={data} onAdd={() => setOpen({ dialog: 'add-environment' })} />,
          },
        ]}
      />
      <OpenDialog
        open={open}
        data={data}
        onClose={() => setOpen(undefined)}
        onShow={(host) => {
          set({ q: host, state: 'all', environment: '' });
          setOpen(undefined);
        }}
      />
    </Page>
  );
}

interface OpenDialogProps {
  open: Open | undefined;
  data: DomainData;
  onClose: () => void;
  onShow: (host: string) => void;
}

/** The dialog that is open. It always shows a domain as it is now: somebody else may change it meanwhile. */
function OpenDialog({ open, data, onClose, onShow }: OpenDialogProps) {
  if (!open) return null;
  const common = { data, onClose };
  if (open.dialog === 'add') return <AddDomainDialog {...common} onShow={onShow} />;
  if (open.dialog === 'add-environment') return <EnvironmentDialog {...common} />;
  if (open.dialog === 'assign') {
    const domains = (data.domains ?? []).filter(({ id }) => open.ids.includes(id));
    return <AssignDialog {...common} domains={domains} />;
  }
  const domain = data.domains?.find(({ id }) => id === open.id);
  if (!domain) return null;
  if (open.dialog === 'details') return <DetailsDialog {...common} domain={domain} />;
  if (open.dialog === 'turn-on') return <TurnOnDialog {...common} domain={domain} />;
  return <MoveDialog {...common} domain={domain} />;
}
