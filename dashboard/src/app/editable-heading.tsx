import { Pencil } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import * as text from '../messages/text.ts';
import { IconButton } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { inputLook } from '../ui/field.tsx';
import { PageHeading } from './page.tsx';

interface EditableHeadingProps {
  value: string;
  isReadOnly: boolean;
  onChange: (value: string) => void;
}

/**
 * The heading of the page, which becomes a field. Enter accepts the new name, Escape restores the old one. An empty
 * name is not accepted.
 */
export function EditableHeading({ value, isReadOnly, onChange }: EditableHeadingProps) {
  const [typed, setTyped] = useState<string>();
  const trigger = useRef<HTMLButtonElement>(null);
  const finish = (next: string | undefined) => {
    setTyped(undefined);
    if (next?.trim() && next !== value) onChange(next.trim());
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.stopPropagation();
    finish(event.key === 'Enter' ? typed : undefined);
    // The button is rendered again only after the next frame.
    requestAnimationFrame(() => trigger.current?.focus());
  };
  return (
    <>
      <PageHeading title={value} className={cx('truncate text-20 sm:max-w-[40vw]', typed !== undefined && 'sr-only')} />
      {typed === undefined ? (
        !isReadOnly && (
          <IconButton
            ref={trigger}
            icon={Pencil}
            label={text.editor.rename(value)}
            size="small"
            onPress={() => setTyped(value)}
          />
        )
      ) : (
        <input
          data-own-undo
          aria-label={text.editor.name}
          value={typed}
          // biome-ignore lint/a11y/noAutofocus: the person has just asked to edit it
          autoFocus
          onFocus={(event) => event.currentTarget.select()}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={onKey}
          onBlur={() => finish(typed)}
          className={cx(inputLook, 'h-8 w-64 max-w-full px-2 font-semibold')}
        />
      )}
    </>
  );
}
