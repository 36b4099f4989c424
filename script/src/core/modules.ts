import type { Config } from '../config.ts';
import { listUrls } from '../engine/plan.ts';
import type { Extras } from '../extras/create-extras.ts';
import type { CreateMedia, CreateQuestions, CreateTourExtras } from '../kind.ts';
import type { CompileCode } from '../page/compile-code.ts';
import type { LoadedModules, registerModule } from '../register-module.ts';
import type { PageExperience, PageUrl } from '../wire.ts';

/** Loads the modules that show something, when there is something to show. */
export interface Modules {
  register: typeof registerModule;
  load<Name extends keyof LoadedModules>(name: Name): Promise<LoadedModules[Name]>;
  /**
   * Loads the extras that an Experience needs beyond its kind; undefined if it needs none. With `isDecided`, the visit
   * has tested its URL patterns.
   */
  loadExtras(experience: PageExperience, isDecided?: boolean): Promise<Extras> | undefined;
  /** Loads the module that runs code of authors; undefined if there is no code, or the account does not allow it. */
  loadCompiler(experience: PageExperience): Promise<CompileCode> | undefined;
  /** Loads the module that paints pictures and videos; undefined if there are none. */
  loadMedia(experience: PageExperience): Promise<CreateMedia> | undefined;
  /** Loads the module for triggers, banners, inline steps, slideouts, hotspots, times, lists, quotes and code; undefined if there are none. */
  loadTourExtras(experience: PageExperience): Promise<CreateTourExtras> | undefined;
  /** Loads the module for questions, rules, and answers in texts; undefined if there are none. */
  loadQuestions(experience: PageExperience): Promise<CreateQuestions> | undefined;
  /**
   * Returns whether the current page matches the URL patterns. Without patterns, every page does. Undefined while the code that reads
   * patterns is being loaded, on another page than the one of the visit.
   */
  matchesPage(urls: readonly PageUrl[] | undefined): boolean | undefined;
}

/** `visitedHref` is the address of the page that the last response is for. */
export function createModules(config: Config, visitedHref: () => string | undefined): Modules {
  const loaded: Partial<LoadedModules> = Object.create(null);
  /**
   * The files that are being loaded, by path, because a file may contain several modules: tours are in the file of the
   * renderer.
   */
  const loading = new Map<string, Promise<void> | undefined>();

  /** Whether there are URL patterns that the visit has not tested for this page. */
  let isNeeded = false;

  const load: Modules['load'] = async (name) => {
    const { path } = config.files[name] as Config['files']['core'];
    const file = loading.get(path) ?? config.load?.(name);
    loading.set(path, file);
    try {
      await file;
    } catch (error) {
      // The browser may be offline. The next visit tries again.
      loading.delete(path);
      throw error;
    }
    return loaded[name] as NonNullable<(typeof loaded)[typeof name]>;
  };

  return {
    load,
    register: (name, module) => {
      loaded[name] = module;
    },
    loadExtras: (experience, isDecided) => {
      const urls = listUrls(experience);
      if (urls.some(({ match_type }) => match_type === 'regex') || hasField(experience, /"op":"matches"/))
        return load('extras_regex');
      if (urls[0] && !isDecided) isNeeded = true;
      else if (!hasField(experience, /"(option|global|answer)":/)) return undefined;
      return load('extras');
    },
    loadCompiler: (experience) =>
      config.files.scripts && hasField(experience, /"(action_script|custom_trigger)":/) ? load('scripts') : undefined,
    loadMedia: (experience) => (hasField(experience, /"video_url":|\/media\//) ? load('media') : undefined),
    loadTourExtras: (experience) =>
      hasField(
        experience,
        /"(hotspot|snooze_choices|secondary_trigger|trigger_delay)":|[ne]":"(top"|bottom"|inline|slideout)|\["([uo]l|pre|code|hr|h\d|blockquote|img)"/,
      )
        ? load('tour_extras')
        : undefined,
    loadQuestions: (experience) => (hasField(experience, /"(question|next|answer)":/) ? load('questions') : undefined),
    matchesPage: (urls) => {
      // The module with regular expressions also reads all other patterns.
      const extras = loaded.extras_regex ?? loaded.extras;
      const { href } = location;
      if (!urls) return true;
      return extras ? extras.matchesPage(urls, href) : (!isNeeded && href === visitedHref()) || undefined;
    },
  };
}

/** Returns whether an Experience has a field, at any depth. Within a text, the quotes of the JSON would be escaped. */
function hasField(experience: PageExperience, field: RegExp): boolean {
  return field.test(JSON.stringify(experience));
}
