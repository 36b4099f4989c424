/// <reference path="../../../../script/src/css.d.ts" />
import type { LoadedModules } from '../../../../script/src/register-module.ts';

/** The modules of the script pass themselves to `usher.kind`, as on the pages of users. It exists before they run. */
export const modules: Partial<LoadedModules> = {};

Object.assign(window, {
  usher: { kind: (name: string, module: unknown) => Object.assign(modules, { [name]: module }) },
});
