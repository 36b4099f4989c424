import { compileCode } from './page/compile-code.ts';
import { registerPart } from './register-part.ts';

/* Runs code that authors wrote. The server names this file only to pages of an account that allows scripts. */

registerPart('scripts', compileCode);
