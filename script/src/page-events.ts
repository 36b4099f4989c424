import { countPageEvents } from './page-events/count-page-events.ts';
import { registerModule } from './register-module.ts';

/* Counts events without code: clicks on elements, and pages that people open. Only pages with such events load this file. */

registerModule('page_events', countPageEvents);

export type CountPageEvents = typeof countPageEvents;
