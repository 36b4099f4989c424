import { linearRegex } from '../../domain/src/patterns/linear-regex.ts';
import { createExtras } from './extras/create-extras.ts';
import { registerModule } from './register-module.ts';

registerModule('extras_regex', createExtras(linearRegex));
