import { useCallback, useState } from 'react';

/** The paths of texts that do not fit, by language and step. */
type Measured = Readonly<Record<string, readonly string[]>>;

export interface Overflow {
  has(language: string, path: string): boolean;
  record(language: string, step: number, paths: readonly string[]): void;
}

export function useOverflow(): Overflow {
  const [measured, setMeasured] = useState<Measured>({});
  const record = useCallback((language: string, step: number, paths: readonly string[]) => {
    const key = `${language} ${step}`;
    setMeasured((old) => ((old[key] ?? []).join() === paths.join() ? old : { ...old, [key]: paths }));
  }, []);
  const has = (language: string, path: string) =>
    Object.entries(measured).some(([key, paths]) => key.startsWith(`${language} `) && paths.includes(path));
  return { has, record };
}
