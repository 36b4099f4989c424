import { toFunction } from './page/code.ts';

/* Runs code of authors. The server names this file only to pages of an account that allows scripts. */

(window as unknown as { usher: { kind(name: string, part: unknown): void } }).usher.kind('scripts', toFunction);
