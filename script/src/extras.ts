import { createExtras } from './extras/create-extras.ts';
import { registerModule } from './register-module.ts';

/* Few URL patterns are regular expressions, and their parser is as large as the other extras. So only extras-regex.ts contains it. */

registerModule(
  'extras',
  createExtras(() => ({ problem: 'not loaded' })),
);
