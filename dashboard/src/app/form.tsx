import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { cx } from '../ui/cx.ts';

/** The values of a form, and the props that a field needs to show and change one of them. */
export function useFields<Values extends Record<string, string>>(initial: Values) {
  const [values, setValues] = useState(initial);
  const bind = <Name extends keyof Values & string>(name: Name) => ({
    name,
    value: values[name],
    onChange: (value: string) => setValues((before) => ({ ...before, [name]: value })),
  });
  return { values, setValues, bind };
}

/** Submits with Enter and with its button. The server checks the values, so the browser does not. */
export function Form({
  onSubmit,
  children,
  className,
}: {
  onSubmit: () => void;
  children: ReactNode;
  className?: string;
}) {
  const form = useRef<HTMLFormElement>(null);
  const wasSubmitted = useRef(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    wasSubmitted.current = true;
    onSubmit();
  };
  // The first field that was rejected gets the focus, as soon as the response has marked it.
  useEffect(() => {
    const wrong = wasSubmitted.current && form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (!wrong) return;
    wasSubmitted.current = false;
    wrong.focus();
  });
  return (
    <form ref={form} onSubmit={submit} noValidate className={cx('flex flex-col gap-4', className)}>
      {children}
    </form>
  );
}
