import { lazy, Suspense, useState } from 'react';
import type { Domain } from '../../api/domains.ts';
import { useSession } from '../../api/session.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { Page } from '../../app/page.tsx';
import { useNewDialog } from '../../app/use-new-dialog.ts';
import { useAddress } from '../../lists/use-address.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { DomainList } from './domain-list.tsx';
import { domainState } from './domain-state.ts';
import { NewDomains } from './new-domains.tsx';
import type { Open } from './open-dialog.tsx';
import { useDomainData } from './use-domain-data.ts';

const texts = text.domains;

// The dialog and the second tab are loaded when they are opened, so that the list shows sooner.
const OpenDialog = lazy(() => import('./open-dialog.tsx'));
const EnvironmentList = lazy(() => import('./environment-list.tsx'));

export default function DomainsPage() {
  const data = useDomainData();
  const { can } = useSession();
  const { get, set } = useAddress();
  const [open, setOpen] = useState<Open | undefined>();
  const tab = get('tab') === 'environments' ? 'environments' : 'domains';
  const add = () => setOpen({ dialog: tab === 'domains' ? 'add' : 'add-environment' });
  useNewDialog(() => can('edit') && add());
  const addLabel = tab === 'domains' ? texts.add : text.environments.add;
  useShortcuts(can('edit') ? [{ keys: 'c', label: addLabel, onPress: add }] : []);
  const of = (dialog: 'details' | 'turn-on' | 'move') => (domain: Domain) => setOpen({ dialog, id: domain.id });
  const isFiltered = ['q', 'state', 'environment'].some((name) => get(name) !== '');
  // The empty list offers the same button, so the heading has none then.
  const isEmpty =
    tab === 'domains' ? data.domains?.length === 0 && !isFiltered : !data.isLoading && data.environments.length === 0;
  const newly = (data.domains ?? []).filter((domain) => domainState(domain) === 'new');
  return (
    <Page
      title={texts.title}
      intro={tab === 'domains' ? texts.intro : text.environments.intro}
      {...(can('edit') &&
        !isEmpty && {
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
            content: (
              <Suspense fallback={null}>
                <EnvironmentList data={data} onAdd={() => setOpen({ dialog: 'add-environment' })} />
              </Suspense>
            ),
          },
        ]}
      />
      {open && (
        <Suspense fallback={null}>
          <OpenDialog
            open={open}
            data={data}
            onClose={() => setOpen(undefined)}
            onShow={(host) => {
              set({ q: host, state: 'all', environment: '' });
              setOpen(undefined);
            }}
          />
        </Suspense>
      )}
    </Page>
  );
}
