import * as text from '../messages/text.ts';
import { Dialog } from './dialog.tsx';
import { Keys } from './keys.tsx';

interface ShortcutsSheetProps {
  isOpen: boolean;
  onClose: () => void;
  groups: readonly { title: string; shortcuts: readonly { keys: string; label: string }[] }[];
}

/** Every shortcut that works on this page. */
export function ShortcutsSheet({ isOpen, onClose, groups }: ShortcutsSheetProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={text.ui.shortcuts} size="medium">
      <div className="grid gap-x-10 gap-y-5 sm:grid-cols-2">
        {groups.map(({ title, shortcuts }) => (
          <section key={title} className="flex flex-col gap-1.5">
            <h3 className="text-12 font-medium text-soft">{title}</h3>
            <dl className="flex flex-col">
              {shortcuts.map(({ keys, label }) => (
                <div
                  key={keys}
                  className="flex items-center justify-between gap-4 border-b border-line py-1.5 last:border-0"
                >
                  <dt className="text-13">{label}</dt>
                  <dd>
                    <Keys keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
