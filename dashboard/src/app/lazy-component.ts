import { type ComponentType, lazy } from 'react';
import { PageLoadError } from './load-page.ts';

/** A component that is loaded when it is opened, such as a dialog with many fields. */
export function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(() =>
    load().then(
      (component) => ({ default: component }),
      (error) => {
        throw new PageLoadError(error);
      },
    ),
  );
}
