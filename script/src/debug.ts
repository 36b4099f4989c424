import { openPanel } from './debug/open-panel.ts';
import { registerModule } from './register-module.ts';

/* The debug panel of `usher.debug()`. Nothing else loads this file. Its texts are English, since they are for developers. */

registerModule('debug', openPanel);

export type OpenDebugPanel = typeof openPanel;
