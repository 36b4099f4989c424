import { openPanel } from './debug/open-panel.ts';
import { registerPart } from './register-part.ts';

/* The debug panel of `usher.debug()`. Nothing else loads this file. Its texts are English, since they are for developers. */

registerPart('debug', openPanel);

export type OpenDebugPanel = typeof openPanel;
