import { openPicker } from './picker/open-picker.ts';
import { registerPart } from './register-part.ts';

/*
 * Lets an administrator choose an element of the page by pointing at it. Only a page that was opened for a pick loads this file. Its
 * texts are English, like those of the dashboard.
 */

registerPart('picker', openPicker);

export type OpenPicker = typeof openPicker;
