import { startTry } from './picker/try.ts';
import { registerPart } from './register-part.ts';

/* Plays the draft of an Experience on the page. The picker loads it, for a pick of this purpose. */

registerPart('try', startTry);

export type StartTry = typeof startTry;
