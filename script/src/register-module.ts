import type { SendAnonymously } from './anonymous.ts';
import type { ChangeConsent } from './consent.ts';
import type { OpenDebugPanel } from './debug.ts';
import type { Extras } from './extras/create-extras.ts';
import type { CreateMedia, CreateQuestions, CreateTourExtras, Paint } from './kind.ts';
import type { CompileCode } from './page/compile-code.ts';
import type { CountPageEvents } from './page-events.ts';
import type { OpenPicker } from './picker.ts';
import type { CreateRenderer } from './renderer.ts';
import type { FollowEvents } from './stream.ts';
import type { StartTry } from './try.ts';
import type { Kind } from './wire.ts';

/** The content that each module passes to the core. */
export interface LoadedModules extends Record<Kind, Paint> {
  renderer: CreateRenderer;
  extras: Extras;
  extras_regex: Extras;
  scripts: CompileCode;
  media: CreateMedia;
  tour_extras: CreateTourExtras;
  questions: CreateQuestions;
  page_events: CountPageEvents;
  stream: FollowEvents;
  anonymous: SendAnonymously;
  consent: ChangeConsent;
  debug: OpenDebugPanel;
  picker: OpenPicker;
  try: StartTry;
}

/** Passes the content of a module to the core, which waits for it. */
export function registerModule<Name extends keyof LoadedModules>(name: Name, module: LoadedModules[Name]): void {
  (window as unknown as { usher: { kind: typeof registerModule } }).usher.kind(name, module);
}
