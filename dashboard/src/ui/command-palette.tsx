import { type LucideIcon, Search } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Dialog } from 'react-aria-components/Dialog';
import { Header } from 'react-aria-components/Header';
import { Input } from 'react-aria-components/Input';
import { Menu, MenuItem, MenuSection } from 'react-aria-components/Menu';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { SearchField } from 'react-aria-components/SearchField';
import * as text from '../messages/text.ts';
import { ItemContent, itemLook } from './list-item.tsx';
import { matchesWords } from './matches-words.ts';

export interface Command {
  id: string;
  label: string;
  description?: string;
  icon?: LucideIcon;
  keys?: string;
  /** Other words that find the command. */
  words?: string;
  onRun: () => void;
}

interface CommandPaletteProps {
  isOpen: boolean;
  onClose: () => void;
  groups: readonly { title: string; commands: readonly Command[] }[];
  /** Is called with the typed text, to search on the server. */
  onSearch?: (query: string) => void;
  /** Whether a search on the server is in progress. */
  isSearching?: boolean;
}

/** Finds pages, records and actions by their words. */
export function CommandPalette({ isOpen, onClose, groups, onSearch, isSearching = false }: CommandPaletteProps) {
  const [query, setQuery] = useState('');
  const search = (value: string) => {
    setQuery(value);
    onSearch?.(value);
  };
  const close = () => {
    search('');
    onClose();
  };
  const found = groups
    .map(({ title, commands }) => ({
      title,
      commands: commands.filter(({ label, description = '', words = '' }) =>
        matchesWords(`${label} ${description} ${words}`, query),
      ),
    }))
    .filter(({ commands }) => commands.length > 0);
  const run = (id: React.Key) => {
    const command = found.flatMap(({ commands }) => commands).find((one) => one.id === id);
    close();
    command?.onRun();
  };
  // Without this, Escape would only empty the field, and a second press would close the palette.
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
    event.stopPropagation();
    close();
  };
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => !open && close()}
      isDismissable
      className="fixed inset-0 z-40 flex items-start justify-center bg-backdrop p-4 pt-[12vh] transition-opacity data-entering:opacity-0 data-exiting:opacity-0"
    >
      <Modal className="w-full max-w-xl overflow-hidden rounded-10 bg-raised shadow-float transition-[translate,opacity] data-entering:translate-y-2 data-entering:opacity-0 data-exiting:opacity-0">
        <Dialog aria-label={text.ui.commandPalette} className="outline-none">
          <div onKeyDownCapture={closeOnEscape} className="flex max-h-[60vh] flex-col">
            <Autocomplete inputValue={query} onInputChange={search}>
              <SearchField
                aria-label={text.ui.searchCommands}
                autoFocus
                className="flex items-center gap-2.5 border-b border-line px-4"
              >
                <Search size={16} aria-hidden className="text-faint" />
                <Input
                  placeholder={text.ui.searchCommands}
                  className="h-12 min-w-0 flex-1 bg-transparent text-16 outline-none [&::-webkit-search-cancel-button]:hidden"
                />
              </SearchField>
              <Menu
                aria-label={text.ui.commands}
                onAction={run}
                className="min-h-16 overflow-auto p-1.5 outline-none"
                renderEmptyState={() => (
                  <p className="px-2 py-4 text-center text-14 text-soft">
                    {isSearching ? text.ui.searching : text.ui.nothingFoundFor(query)}
                  </p>
                )}
              >
                {found.map(({ title, commands }) => (
                  <MenuSection key={title} className="pb-1">
                    <Header className="px-2 pt-1.5 pb-0.5 text-12 font-medium text-soft">{title}</Header>
                    {commands.map((command) => (
                      <MenuItem key={command.id} id={command.id} textValue={command.label} className={itemLook}>
                        <ItemContent {...command} />
                      </MenuItem>
                    ))}
                  </MenuSection>
                ))}
              </Menu>
            </Autocomplete>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
