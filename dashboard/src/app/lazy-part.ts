import { type ComponentType, lazy } from 'react';
import { PageLoadError } from './load-page.ts';

/** A part of a page that is loaded when it is opened, such as a dialog with many fields. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(() =>
    load().then(
      (part) => ({ default: part }),
      (error) => {
        throw new PageLoadError(error);
      },
    ),
  );
}
