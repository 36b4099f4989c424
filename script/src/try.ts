import { startTry } from './picker/try.ts';
import { registerModule } from './register-module.ts';

/* Plays the draft of an Experience on the page. The picker loads it, for a pick of this purpose. */

registerModule('try', startTry);

export type StartTry = typeof startTry;
