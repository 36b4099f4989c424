import { openPicker } from './picker/open-picker.ts';
import { registerModule } from './register-module.ts';

/*
 * Lets an administrator choose an element of the page by pointing at it. Only a page that was opened for a pick loads this file. Its
 * texts are English, like those of the dashboard.
 */

registerModule('picker', openPicker);

export type OpenPicker = typeof openPicker;
