import { hasPermission } from '@usher/domain';
import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { Page } from '../../app/page.tsx';
import { useAddress } from '../../lists/use-address.ts';
import * as text from '../../messages/text.ts';
import { PictureDrop } from '../../pictures/picture-drop.tsx';
import { PictureGrid } from '../../pictures/picture-grid.tsx';
import type { Picture } from '../../pictures/use-picture-upload.ts';
import { Drawing } from '../../ui/drawing.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { showToast } from '../../ui/toast.tsx';
import { PictureDialog } from './picture-dialog.tsx';

const texts = text.media;

export default function MediaPage() {
  const { get, set } = useAddress({ isSearch: true });
  const { user } = useSession();
  const mayEdit = hasPermission({ role: user.role }, 'edit');
  const [opened, setOpened] = useState<Picture>();
  return (
    <Page title={texts.title} intro={texts.intro}>
      {mayEdit && <PictureDrop onUploaded={({ name }) => showToast({ title: texts.upload.done(name) })} />}
      <PictureGrid
        search={get('text')}
        onSearch={(next) => set({ text: next })}
        onOpen={setOpened}
        empty={
          <EmptyState picture={<Drawing of="media" />} title={texts.empty.title}>
            {texts.empty.text}
          </EmptyState>
        }
      />
      {opened && <PictureDialog picture={opened} mayEdit={mayEdit} onClose={() => setOpened(undefined)} />}
    </Page>
  );
}
