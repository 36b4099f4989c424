import { type TemplateId, templatePurposes } from '@usher/domain';
import { Header } from 'react-aria-components/Header';
import { ListBox, ListBoxItem, ListBoxSection } from 'react-aria-components/ListBox';
import type { ResponseOf } from '../../../api/api.ts';
import { KindIcon } from '../../../kinds/kind-icon.tsx';
import * as text from '../../../messages/text.ts';
import { cx } from '../../../ui/cx.ts';
import { ItemContent, itemLook } from '../../../ui/list-item.tsx';

export type ShownTemplate = ResponseOf<'GET /v3/edit/templates'>['templates'][number];

interface TemplateListProps {
  templates: readonly ShownTemplate[];
  chosen: TemplateId;
  onChoose: (id: TemplateId) => void;
  /** Is called by Enter and by a double click. */
  onCreate: () => void;
}

const { newDialog, kinds } = text.experiences;

/** The templates, grouped by what they are for. The arrow keys choose one, so that the preview follows them. */
export function TemplateList({ templates, chosen, onChoose, onCreate }: TemplateListProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the options in it have the focus.
    <div
      onKeyDownCapture={({ key }) => key === 'Enter' && onCreate()}
      onDoubleClick={onCreate}
      // Typing the beginning of a name moves the focus only.
      onFocus={({ target }) => target.dataset.key && onChoose(target.dataset.key as TemplateId)}
    >
      <ListBox
        aria-label={newDialog.templates}
        selectionMode="single"
        selectionBehavior="replace"
        disallowEmptySelection
        selectedKeys={[chosen]}
        onSelectionChange={(keys) => keys !== 'all' && onChoose([...keys][0] as TemplateId)}
        autoFocus
        className="flex flex-col gap-1 outline-none"
      >
        {templatePurposes.map((purpose) => (
          <ListBoxSection key={purpose}>
            <Header className="px-2 pt-1.5 pb-0.5 text-12 font-medium text-soft">{newDialog.purposes[purpose]}</Header>
            {templates
              .filter((template) => template.purpose === purpose)
              .map(({ id, name, kind }) => (
                <ListBoxItem
                  key={id}
                  id={id}
                  textValue={name}
                  className={cx(
                    itemLook,
                    'data-selected:bg-accent-tint data-focus-visible:outline-2 data-focus-visible:-outline-offset-2 data-focus-visible:outline-accent',
                  )}
                >
                  <ItemContent label={name} mark={<KindIcon kind={kind} />} />
                  <span className="text-12 text-soft">{kinds[kind]}</span>
                </ListBoxItem>
              ))}
          </ListBoxSection>
        ))}
      </ListBox>
    </div>
  );
}
