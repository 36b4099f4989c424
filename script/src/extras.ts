import { createExtras } from './extras/create-extras.ts';
import { registerModule } from './register-module.ts';

/* Few URL patterns are regular expressions. The parser for them takes as much as the rest, so extras-regex.ts has it alone. */

registerModule(
  'extras',
  createExtras(() => ({ problem: 'not loaded' })),
);
