import { compileCode } from './page/compile-code.ts';
import { registerModule } from './register-module.ts';

/* Runs code that authors wrote. The server names this file only to pages of an account that allows scripts. */

registerModule('scripts', compileCode);
