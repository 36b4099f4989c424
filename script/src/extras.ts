import { createExtras } from './extras/create-extras.ts';
import { registerPart } from './register-part.ts';

/* Few URL patterns are regular expressions. The parser for them takes as much as the rest, so extras-regex.ts has it alone. */

registerPart(
  'extras',
  createExtras(() => ({ problem: 'not loaded' })),
);
