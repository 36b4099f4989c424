import type { ListedExperience } from '@usher/domain';
import { X } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useSession } from '../../../api/session.ts';
import { lazyComponent } from '../../../app/lazy-component.ts';
import * as text from '../../../messages/text.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import type { ListActions } from './use-list-actions.ts';
import type { ListNames } from './use-list-names.ts';

const TagDialog = lazyComponent(() => import('./tag-dialog.tsx').then((module) => module.TagDialog));

const PublishDialog = lazyComponent(() => import('../publish/index.ts').then((module) => module.PublishDialog));

/** The publish dialog shows the changes of each Experience, and more than this is too much to read. */
const MAX_PUBLISH = 50;

/** The API changes at most this many Experiences together. */
const MAX_BATCH = 500;

interface SelectionBarProps {
  selected: readonly ListedExperience[];
  tags: ListNames['tags'];
  actions: ListActions;
  onClear: () => void;
}

/** The actions for the selected Experiences. */
export function ListSelectionBar({ selected, tags, actions, onClear }: SelectionBarProps) {
  const texts = text.experiences.selection;
  const { can } = useSession();
  const [open, setOpen] = useState<'tag' | 'publish'>();
  const close = () => setOpen(undefined);
  const rows = selected.slice(0, MAX_BATCH);
  const changeable = rows.filter(({ published_at }) => can('publish') || published_at === null);
  const current = changeable.filter(({ archived_at }) => archived_at === null);
  const archived = changeable.filter(({ archived_at }) => archived_at !== null);
  const used = tags.filter(({ id }) => rows.some(({ tag_ids }) => tag_ids.includes(id)));
  return (
    <section
      aria-label={texts.count(rows.length)}
      className="pointer-events-auto flex min-h-11 flex-wrap items-center gap-2 rounded-10 bg-raised px-3 py-1.5 shadow-float"
    >
      <span aria-live="polite" className="mr-auto text-13 font-medium">
        {texts.count(rows.length)}
      </span>
      {can('publish') && current.length > MAX_PUBLISH && (
        <span className="text-13 text-soft">{texts.publishLimit(MAX_PUBLISH)}</span>
      )}
      {can('publish') && current.length > 0 && (
        <Button size="small" isDisabled={current.length > MAX_PUBLISH} onPress={() => setOpen('publish')}>
          {texts.publish}
        </Button>
      )}
      <Button size="small" onPress={() => setOpen('tag')}>
        {texts.tag}
      </Button>
      {used.length > 0 && (
        <Menu
          label={texts.untag}
          placement="top end"
          trigger={<Button size="small">{texts.untag}</Button>}
          groups={[
            {
              entries: used.map((tag) => ({
                id: tag.id,
                label: tag.name,
                onAction: () =>
                  void actions.removeTag(
                    rows.filter(({ tag_ids }) => tag_ids.includes(tag.id)),
                    tag,
                  ),
              })),
            },
          ]}
        />
      )}
      {current.length > 0 && (
        <Button size="small" onPress={() => void actions.archive(current).then(onClear)}>
          {texts.archive}
        </Button>
      )}
      {archived.length > 0 && (
        <Button size="small" onPress={() => void actions.restore(archived).then(onClear)}>
          {texts.restore}
        </Button>
      )}
      <IconButton icon={X} size="small" label={texts.clear} onPress={onClear} />
      <Suspense>
        {open === 'tag' && <TagDialog rows={rows} tags={tags} onAdd={actions.addTag} onClose={close} />}
        {open === 'publish' && <PublishDialog experiences={current} onClose={close} />}
      </Suspense>
    </section>
  );
}
