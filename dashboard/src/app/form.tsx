import { type FormEvent, type ReactNode, useState } from 'react';
import { cx } from '../ui/cx.ts';

/** The values of a form, with what a field needs to show and change one of them. */
export function useFields<Values extends Record<string, string>>(initial: Values) {
  const [values, setValues] = useState(initial);
  const bind = <Name extends keyof Values & string>(name: Name) => ({
    name: name as string,
    value: values[name] as string,
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form onSubmit={submit} noValidate className={cx('flex flex-col gap-4', className)}>
      {children}
    </form>
  );
}
