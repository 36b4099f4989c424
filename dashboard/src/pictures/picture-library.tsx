import { useState } from 'react';
import * as text from '../messages/text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { PictureGrid } from './picture-grid.tsx';

const texts = text.media;

/** Chooses one of the pictures of the account. */
export function PictureLibrary({ onClose, onChosen }: { onClose: () => void; onChosen: (path: string) => void }) {
  const [search, setSearch] = useState('');
  return (
    <Dialog isOpen onClose={onClose} title={texts.library.title} size="large">
      <PictureGrid
        search={search}
        onSearch={setSearch}
        onOpen={({ path }) => onChosen(path)}
        empty={<EmptyState title={texts.empty.title}>{texts.empty.text}</EmptyState>}
      />
    </Dialog>
  );
}
