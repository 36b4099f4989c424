import { useQueryClient } from '@tanstack/react-query';
import { FlaskConical, Keyboard, LogOut, Trash2 } from 'lucide-react';
import { useLocation } from 'wouter';
import * as text from '../messages/text.ts';
import { type Command, CommandPalette } from '../ui/command-palette.tsx';
import { listShortcuts } from '../ui/shortcuts.ts';
import { ShortcutsSheet } from '../ui/shortcuts-sheet.tsx';
import { setTheme } from '../ui/theme.ts';
import { useCreateCommands } from './create-commands.ts';
import { REMOVE_SAMPLE_DATA, useSampleData } from './load-sample-data.ts';
import { addressOf } from './route.ts';
import { searchPeople } from './search-people.ts';
import { rowShortcuts, SHORTCUTS, useAllowedRoutes, useGoToShortcuts } from './shortcuts.ts';
import { signOut } from './sign-out.ts';
import { type RecordSearchOptions, useRecordSearch } from './use-record-search.ts';
import { themeIcons, themes } from './user-menu.tsx';

const experienceSearch: RecordSearchOptions = {
  noun: 'experiences',
  title: text.titles.experiences,
  path: '/app/experiences',
  translatorTab: '/languages',
  // The module is loaded with the first search, because it has the texts of the list of Experiences, which other pages
  // do not need.
  search: async (signal: AbortSignal, words: string) =>
    (await import('./search-experiences.ts')).searchExperiences(signal, words),
};
/** The search for people needs two letters or more: one letter would find nearly everybody. */
const peopleSearch: RecordSearchOptions = {
  noun: 'profiles',
  title: text.titles.people,
  path: '/app/people',
  search: searchPeople,
  minLength: 2,
};

interface AppCommandsProps {
  open: 'palette' | 'shortcuts' | 'navigation' | undefined;
  onClose: () => void;
  onShortcuts: () => void;
}

/** The command palette and the sheet of shortcuts. */
export function AppCommands({ open, onClose, onShortcuts }: AppCommandsProps) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const allowed = useAllowedRoutes();
  const frame = text.frame;
  const anywhere = [...Object.values(SHORTCUTS), ...useGoToShortcuts()];
  const onPage = listShortcuts().filter(({ keys }) => !anywhere.some((one) => one.keys === keys));
  const pages = allowed
    .map((route) => ({ ...route, path: addressOf(route) }))
    .filter(({ place, path }) => place !== undefined && !path.includes(':'))
    .map(({ path, title, icon, keys, place }): Command => {
      const section = typeof place === 'object' ? text.settings.title : undefined;
      return {
        id: path,
        label: title,
        icon,
        ...(keys !== undefined && { keys }),
        ...(section !== undefined && { description: section }),
        onRun: () => navigate(path),
      };
    });
  const actions: Command[] = [
    ...useSampleCommands(open === 'palette'),
    ...themes.map((theme) => ({
      id: `theme-${theme}`,
      label: frame.chooseTheme(frame.themes[theme]),
      icon: themeIcons[theme],
      onRun: () => setTheme(theme),
    })),
    { id: 'shortcuts', label: frame.shortcuts, icon: Keyboard, keys: SHORTCUTS.sheet.keys, onRun: onShortcuts },
    { id: 'sign-out', label: frame.signOut, icon: LogOut, onRun: () => signOut(client) },
  ];
  const searches = [useRecordSearch(experienceSearch), useRecordSearch(peopleSearch)];
  return (
    <>
      <CommandPalette
        isOpen={open === 'palette'}
        onClose={onClose}
        onSearch={(typed) => {
          for (const { find } of searches) find(typed);
        }}
        isSearching={searches.some(({ isSearching }) => isSearching)}
        groups={[
          { title: frame.pages, commands: pages },
          { title: frame.create.title, commands: useCreateCommands() },
          { title: frame.actions, commands: actions },
          // Records arrive later than commands, so they are listed last and move nothing that is shown already.
          ...searches.map(({ title, found }) => ({ title, commands: found })),
        ]}
      />
      <ShortcutsSheet
        isOpen={open === 'shortcuts'}
        onClose={onClose}
        groups={[
          { title: frame.shortcutGroups.anywhere, shortcuts: anywhere },
          ...(onPage.length > 0 ? [{ title: frame.shortcutGroups.page, shortcuts: onPage }] : []),
          { title: frame.shortcutGroups.lists, shortcuts: rowShortcuts },
        ]}
      />
    </>
  );
}

/** Sample data can be loaded into every account here. It is removed on Home, which says what is deleted. */
function useSampleCommands(isOpen: boolean): Command[] {
  const { canLoad, canRemove, load } = useSampleData(isOpen);
  const [, navigate] = useLocation();
  const loadIt = () => {
    navigate('/app');
    void load();
  };
  const removeIt = () => navigate(`/app?dialog=${REMOVE_SAMPLE_DATA}`);
  return [
    ...(canLoad ? [{ id: 'load-sample', label: text.sampleData.load, icon: FlaskConical, onRun: loadIt }] : []),
    ...(canRemove ? [{ id: 'remove-sample', label: text.sampleData.remove, icon: Trash2, onRun: removeIt }] : []),
  ];
}
