import { X } from 'lucide-react';
import { type FormEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import * as text from '../messages/text.ts';
import { Button, IconButton } from './button.tsx';
import { cx } from './cx.ts';
import { useKeptPlace } from './keep-place.ts';
import { TextField } from './text-field.tsx';

interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** One or two sentences under the title. */
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons at the end, the main one last. */
  buttons?: ReactNode;
  /** Is called when Enter submits the form. It does the same as the main button. */
  onSubmit?: () => void;
  size?: 'small' | 'medium' | 'large' | 'wide';
  /** Whether a click outside does not close the dialog, because typed values would be lost. */
  keepsOpen?: boolean;
  role?: 'dialog' | 'alertdialog';
}

const widths = { small: 'max-w-md', medium: 'max-w-xl', large: 'max-w-3xl', wide: 'max-w-5xl' };

export function Dialog(props: DialogProps) {
  const { isOpen, onClose, title, description, children, buttons, onSubmit, size = 'small', keepsOpen = false } = props;
  const descriptionId = useId();
  const ref = useRef<HTMLElement>(null);
  useKeysWithoutFocus(ref, isOpen, onClose);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // React passes events of a dialog on to the form from which the dialog was opened.
    event.stopPropagation();
    onSubmit?.();
  };
  const content = (
    <>
      <div className="flex flex-col gap-4 overflow-auto px-5 py-4">
        {description !== undefined && (
          <div id={descriptionId} className="text-14 text-soft">
            {description}
          </div>
        )}
        {children}
      </div>
      {buttons !== undefined && (
        <div className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{buttons}</div>
      )}
    </>
  );
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable={!keepsOpen}
      className="fixed inset-0 z-40 flex items-start justify-center overflow-auto bg-backdrop p-4 pt-[12vh] transition-opacity data-entering:opacity-0 data-exiting:opacity-0"
    >
      <Modal
        className={cx(
          'flex max-h-[80vh] w-full flex-col overflow-hidden rounded-10 bg-raised shadow-float transition-[translate,opacity] data-entering:translate-y-2 data-entering:opacity-0 data-exiting:opacity-0',
          widths[size],
        )}
      >
        <AriaDialog
          ref={ref}
          role={props.role ?? 'dialog'}
          {...(description !== undefined && { 'aria-describedby': descriptionId })}
          className="flex min-h-0 flex-1 flex-col outline-none"
        >
          <KeepPlace />
          <div className="flex items-center justify-between gap-4 border-b border-line py-2.5 pr-3 pl-5">
            <Heading slot="title" className="text-16 font-semibold">
              {title}
            </Heading>
            <IconButton icon={X} label={text.ui.close} size="small" onPress={onClose} />
          </div>
          {onSubmit ? (
            <form onSubmit={submit} noValidate className="flex min-h-0 flex-1 flex-col">
              {content}
            </form>
          ) : (
            content
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** This is a component, because its effect must begin and end with the content of the dialog. */
function KeepPlace() {
  useKeptPlace();
  return null;
}

/** A button that becomes disabled loses the focus to the page behind the dialog, where keys would do nothing. */
function useKeysWithoutFocus(ref: RefObject<HTMLElement | null>, isOpen: boolean, onClose: () => void): void {
  useEffect(() => {
    if (!isOpen) return;
    const onKey = ({ key }: KeyboardEvent) => {
      if (document.activeElement !== document.body) return;
      ref.current?.focus();
      if (key === 'Escape') onClose();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [ref, isOpen, onClose]);
}

interface FormDialogProps extends Omit<DialogProps, 'isOpen' | 'buttons' | 'onSubmit'> {
  isOpen?: boolean;
  onSubmit: () => void;
  /** The verb with its object: "Create secret". */
  action: ReactNode;
  isPending: boolean;
  isDisabled?: boolean;
  /** Whether the main button has the focus at first, because there is nothing to fill in. */
  focusesAction?: boolean;
}

/** A dialog with a form, or a question, that ends with one action or none. */
export function FormDialog(props: FormDialogProps) {
  const { isOpen = true, action, isPending, isDisabled = false, focusesAction = false, ...others } = props;
  return (
    <Dialog
      {...others}
      isOpen={isOpen}
      buttons={
        <>
          <Button onPress={props.onClose}>{text.ui.cancel}</Button>
          <Button look="primary" type="submit" isPending={isPending} isDisabled={isDisabled} autoFocus={focusesAction}>
            {action}
          </Button>
        </>
      }
    />
  );
}

interface ConfirmDialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** What happens, and that it cannot be undone. */
  description: ReactNode;
  /** The text that must be typed before the button works, such as the name of the deleted record. */
  phrase: string;
  /** The verb with its object: "Delete secret". */
  action: string;
  onConfirm: () => void;
  isPending?: boolean;
  /** Whether the action is not possible now. The description says why. */
  isDisabled?: boolean;
}

/**
 * Asks before an action that cannot be undone: the button works after the name was typed. Every other action offers
 * "Undo" afterwards.
 */
export function ConfirmDialog(allProps: ConfirmDialogProps) {
  const { phrase, action, onConfirm, isPending = false, isDisabled = false, ...props } = allProps;
  const [typed, setTyped] = useState('');
  const matches = !isDisabled && typed.trim() === phrase.trim();
  const close = () => {
    setTyped('');
    props.onClose();
  };
  return (
    <Dialog
      {...props}
      onClose={close}
      role="alertdialog"
      onSubmit={() => matches && !isPending && onConfirm()}
      buttons={
        <>
          <Button onPress={close}>{text.ui.cancel}</Button>
          <Button look="danger" type="submit" isDisabled={!matches} isPending={isPending}>
            {action}
          </Button>
        </>
      }
    >
      <TextField label={text.ui.typeToConfirm(phrase)} value={typed} onChange={setTyped} autoFocus autoComplete="off" />
    </Dialog>
  );
}
