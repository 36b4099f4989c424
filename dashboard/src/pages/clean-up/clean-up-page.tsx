import { unusedKinds } from '@usher/domain';
import { Page } from '../../app/page.tsx';
import { useAddress } from '../../lists/use-address.ts';
import * as text from '../../messages/text.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { UnusedList } from './unused-list.tsx';

const texts = text.cleanUp;

/** What nothing uses, by kind. The kind is in the address. */
export default function CleanUpPage() {
  const { get, set } = useAddress();
  const selected = unusedKinds.find((kind) => kind === get('kind')) ?? unusedKinds[0];
  return (
    <Page title={texts.title} intro={texts.intro}>
      <Tabs
        label={texts.kinds}
        selected={selected}
        onSelect={(kind) => set({ kind: kind === unusedKinds[0] ? '' : kind })}
        tabs={unusedKinds.map((id) => ({ id, label: texts.tabs[id], content: <UnusedList kind={id} /> }))}
      />
    </Page>
  );
}
