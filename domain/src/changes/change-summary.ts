import type { Content } from '../content/content.ts';
import type { Document } from '../content/experience.ts';
import { changesAppearance, listAppearances, mapAppearanceOwners } from './capture.ts';
import type { ChangeSummary, ChangeUpdate, Diff, ModelChange } from './change.ts';
import { diffDocuments, diffFields, diffTexts } from './diff.ts';
import { sortByFieldOrder } from './field-order.ts';
import { flatten } from './flatten.ts';

/*
 * Summarizes the changes between two states of an Experience. Changes that were undone in between are not in it.
 */

interface ContentStates {
  /** Null when the Experience did not exist yet, or was deleted. */
  before: Content | null;
  after: Content | null;
}

/** Finds the ID of the capture of a step or launcher. */
type FindCapture = (ownerId: string) => string | null;

export function buildChangeSummary(
  id: string,
  { before, after }: ContentStates,
  change_id: [string | null, string | null],
  captures: { before: FindCapture; after: FindCapture },
): ChangeSummary {
  const [was, is] = [indexAppearances(id, before?.document), indexAppearances(id, after?.document)];
  const captureId = (ownerWas: string, ownerIs: string, isSeen: boolean): [string | null, string | null] => {
    const differs = was.appearance(ownerWas) !== is.appearance(ownerIs);
    return [captures.before(ownerWas), isSeen && differs ? captures.after(ownerIs) : null];
  };
  const all = diffContents(id, before, after);
  const own = all.find(({ model_id, path }) => model_id === id && path === 'model');
  return {
    model_id: id,
    path: 'model',
    kind: before === null ? 'create' : after === null ? 'destroy' : 'update',
    change_id,
    capture_id: captureId(was.owner(id), is.owner(id), true),
    object: own ? toChangeUpdate(own) : null,
    changes: all
      .filter((change) => change !== own)
      .map((change) => {
        const owner = is.owner(change.model_id) || was.owner(change.model_id);
        return {
          model_id: change.model_id,
          path: change.path,
          kind: change.op,
          capture_id: captureId(owner, owner, changesAppearance(change)),
          object: toChangeUpdate(change),
        };
      }),
  };
}

/** Summarizes the changes between two states of any other record, such as a Segment. `called` names it in sentences. */
export function summarizeRecord(
  id: string,
  called: string,
  before: Record<string, unknown> | null,
  after: Record<string, unknown>,
): ChangeSummary {
  const model = { model_id: id, model_type: 'Theme' as const, path: 'model' };
  const object = before
    ? toChangeUpdate({ ...model, op: 'update', object: diffFields(before, after) })
    : { name: called, description: `Adds the ${called}.`, value: flatten(after) };
  const summary = { model_id: id, path: 'model', kind: before ? ('update' as const) : ('create' as const) };
  return { ...summary, change_id: [null, null], capture_id: [null, null], object, changes: [] };
}

function diffContents(id: string, before: Content | null, after: Content | null): ModelChange[] {
  const models = diffDocuments(id, before?.document ?? null, after?.document ?? null);
  if (!after) return models;
  const olds = before?.translations ?? {};
  const languages = Object.keys({ ...olds, ...after.translations }).sort();
  const texts = languages.flatMap((language) =>
    diffTexts(id, after.document, language, olds[language] ?? {}, after.translations[language] ?? {}),
  );
  return [...models, ...texts];
}

/** Finds the owner of each model, and each appearance as a text to compare. */
function indexAppearances(id: string, document: Document | undefined) {
  const owners = document ? mapAppearanceOwners(id, document) : new Map<string, string>();
  const looks = document ? listAppearances(id, document) : new Map();
  return {
    owner: (modelId: string) => owners.get(modelId) ?? '',
    appearance: (ownerId: string) => JSON.stringify(looks.get(ownerId)) ?? '',
  };
}

/** Shows one changed field with its values, or several fields together as before and after. */
function toChangeUpdate(change: ModelChange): ChangeUpdate {
  const object = sortByFieldOrder(change.model_type, change.object);
  const names = Object.keys(object);
  const description = describe(change, names);
  if (change.op !== 'update') return { name: change.model_type, description, value: object };
  const [only] = names;
  if (names.length === 1 && only !== undefined) return { name: only, description, value: object[only] };
  const side = (at: 0 | 1) => Object.fromEntries(names.map((name) => [name, (object[name] as Diff)[at]]));
  return { name: names.join(', '), description, value: [side(0), side(1)] };
}

const MAX_NAMES = 3;

/** A sentence that describes the change. */
function describe({ op, model_type, object }: ModelChange, names: readonly string[]): string | null {
  const called = [object.name, object.title, object.text].find((name) => typeof name === 'string' && name !== '');
  const what = `the ${typeNames[model_type]}${called === undefined || op === 'update' ? '' : ` “${called}”`}`;
  if (op !== 'update') return `${op === 'create' ? 'Adds' : 'Removes'} ${what}.`;
  if (names.length > 1) {
    const [most, rest] = [names.slice(0, MAX_NAMES).map(formatName), names.length - MAX_NAMES];
    const last = rest > 0 ? `${rest} more` : most.pop();
    return `Changes ${most.join(', ')} and ${last}.`;
  }
  const [name = ''] = names;
  const [before, after] = object[name] as Diff;
  if (name === 'position') return `Moves ${what} from place ${Number(before) + 1} to ${Number(after) + 1}.`;
  if (isEmpty(before)) return `Sets ${formatName(name)}.`;
  return isEmpty(after) ? `Clears ${formatName(name)}.` : `Changes ${formatName(name)}.`;
}

const typeNames = {
  Campaign: 'Experience',
  List: 'launcher',
  Tooltip: 'tooltip',
  Step: 'Step',
  Button: 'Button',
  ListItem: 'item',
  Theme: 'theme',
} as const;

function formatName(name: string): string {
  return name.replaceAll('_', ' ');
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
