import type { SavedView } from '@usher/domain';
import { Bookmark, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-aria-components/Link';
import { usePreferences } from '../../../app/use-preferences.ts';
import * as text from '../../../messages/text.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Popover } from '../../../ui/popover.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { addressOf, type Filters, LIST_PATH } from './list-params.ts';
import { withView } from './stored-views.ts';

const { views: texts } = text.experiences;

/** The saved views of the person. */
export function useViews(filters: Filters) {
  const [{ views: all }, change] = usePreferences();
  const search = addressOf(filters);
  const write = (views: SavedView[]) => void change({ views });
  return {
    all,
    /** The filters of the list as they are in the address. */
    search,
    current: all.find((view) => view.search === search),
    save: (name: string) => write(withView(all, { name, search })),
    remove: (view: SavedView) => {
      write(all.filter(({ name }) => name !== view.name));
      showToast({ title: texts.deleted(view.name), onUndo: () => write(all) });
    },
  };
}

export type Views = ReturnType<typeof useViews>;

/** All Experiences, and the saved views. They are links, so that they can be shared and opened in another tab. */
export function ViewTabs({ views: { all, search } }: { views: Views }) {
  if (all.length === 0) return null;
  return (
    <nav aria-label={texts.title} className="flex flex-wrap gap-1">
      {[{ name: texts.all, search: '' }, ...all].map((view) => (
        <Link
          key={view.search}
          href={LIST_PATH + view.search}
          {...(view.search === search && { 'aria-current': 'page' as const })}
          className={cx(
            'max-w-60 truncate rounded-full px-3 py-1 text-13 transition-colors forced-colors:border',
            view.search === search
              ? 'bg-rail-current font-medium text-on-rail'
              : 'text-soft data-hovered:bg-hover data-hovered:text-ink',
          )}
        >
          <bdi>{view.name}</bdi>
        </Link>
      ))}
    </nav>
  );
}

/** Saves the chosen filters under a name, or copies or deletes the view that is open. */
export function SaveView({ views }: { views: Views }) {
  const { current, search } = views;
  if (search === '') return null;
  if (!current) return <SaveButton views={views} />;
  return (
    <>
      <CopyButton value={`${location.origin}${LIST_PATH}${search}`} label={texts.copy} />
      <Button look="quiet" size="small" icon={Trash2} onPress={() => views.remove(current)}>
        {texts.delete}
      </Button>
    </>
  );
}

function SaveButton({ views }: { views: Views }) {
  const [name, setName] = useState('');
  const typed = name.trim();
  return (
    <Popover
      label={texts.save}
      placement="bottom start"
      trigger={
        <Button look="quiet" size="small" icon={Bookmark}>
          {texts.save}
        </Button>
      }
    >
      {({ close }) => (
        <form
          className="flex w-64 flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            if (typed === '') return;
            views.save(typed);
            setName('');
            close();
          }}
        >
          <TextField label={texts.name} value={name} maxLength={60} onChange={setName} help={texts.help} autoFocus />
          <Button look="primary" type="submit" isDisabled={typed === ''}>
            {texts.save}
          </Button>
        </form>
      )}
    </Popover>
  );
}
