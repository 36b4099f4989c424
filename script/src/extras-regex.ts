import { linearRegex } from '../../domain/src/patterns/linear-regex.ts';
import { createExtras } from './extras/create-extras.ts';
import { registerPart } from './register-part.ts';

registerPart('extras_regex', createExtras(linearRegex));
