import { isWritten } from '../kinds/all-fields.ts';
import { fieldName } from './field-name.ts';
import { findMoves } from './find-moves.ts';
import { formatValue, isEmpty, type NameOf, type Wording } from './format-value.ts';
import type { NetChange, Pair } from './net-changes.ts';
import { describePlace } from './place.ts';

/** One change in words. */
export interface Sentence {
  id: string;
  /** Begins with a verb: "changed the title of step 2". */
  text: string;
  /** The value before and after, if both fit beside the sentence. */
  before?: string | undefined;
  after?: string | undefined;
  /** Whether the values are texts of people, whose differing words are marked. */
  isText: boolean;
  /** Whether this sentence alone describes a whole sitting. */
  isMain: boolean;
}

/** Describes changes in sentences, the most important first. */
export function describeChanges(
  changes: readonly NetChange[],
  kind: string,
  nameOf: NameOf,
  wording: Wording,
): Sentence[] {
  const { words } = wording;
  const moved = findMoves(changes).map(({ from, before, after, change }): Sentence => {
    const nameAt = (index: number) => describePlace({ ...change.place, index }, words);
    const said =
      before !== undefined
        ? words.movedBefore(nameAt(from), nameAt(before))
        : words.movedAfter(nameAt(from), nameAt(after ?? from));
    return { id: `${change.modelId} moved`, text: said, isText: false, isMain: false };
  });
  const others = changes.flatMap((change) => describeChange(change, kind, nameOf, wording));
  const all = [...others.filter(({ isMain }) => isMain), ...moved, ...others.filter(({ isMain }) => !isMain)];
  return all;
}

function describeChange(change: NetChange, kind: string, nameOf: NameOf, wording: Wording): Sentence[] {
  const { words, readableText } = wording;
  const { op, place, fields, modelId } = change;
  const sentence = (said: string, more: Partial<Sentence> = {}): Sentence => ({
    ...{ id: `${modelId} ${place.language ?? ''} ${op}`, text: said, isText: false, isMain: false },
    ...more,
  });
  if (place.related) {
    const name = nameOf(place.related.id);
    const said = words.related[place.related.what](name === undefined ? '' : words.quoted(name)).replace('  ', ' ');
    return [sentence(said.replace(' ,', ','), { isMain: true })];
  }
  if (place.language !== undefined) return describeTexts(change, sentence, wording);
  if (op === 'update')
    return Object.entries(fields).flatMap(([name, pair]) => describeField(change, name, pair, nameOf, wording) ?? []);
  if (op === 'move') return [sentence(words.movedTo(words.button, words.place.step((place.step ?? 0) + 1)))];
  const side = op === 'create' ? 1 : 0;
  const called = [fields.name, fields.title, fields.text].map((pair) => pair?.[side]).find((name) => !isEmpty(name));
  if (place.type !== 'experience') {
    const part = describePlace(place, words);
    const named = typeof called === 'string' ? words.called(part, readableText(called)) : part;
    return [sentence(op === 'create' ? words.added(named) : words.deleted(named))];
  }
  const noun = words.kinds[kind] ?? kind;
  if (op === 'destroy') return [sentence(words.destroyed(noun), { isMain: true })];
  const made = sentence(words.created(noun, String(called ?? '')), { isMain: true });
  const published = fields.published_at;
  return [made, ...((published && describeField(change, 'published_at', published, nameOf, wording)) || [])];
}

/** A translation file can change hundreds of texts together. Beyond this number, one sentence gives their count. */
const MAX_TEXTS = 20;

function describeTexts(
  { fields, place }: NetChange,
  sentence: (said: string, more?: Partial<Sentence>) => Sentence,
  { words, languageName, formatNumber }: Wording,
): Sentence[] {
  const language = languageName(place.language ?? '');
  const texts = Object.entries(fields);
  if (texts.length > MAX_TEXTS) return [sentence(words.translatedMany(formatNumber(texts.length), language))];
  return texts.map(([name, [before, after]]) => {
    const sides = { before: toText(before), after: toText(after), isText: true };
    // In the feed, the name of the text contains the ID of the part; in the summary it contains the place of the part.
    const said = /^[0-9a-f]{24}\./.test(name)
      ? words.translatedText(language)
      : words.translated(nameOfField(name), describePlace(place, words), language);
    const { id, ...others } = sentence(said, sides);
    return { ...others, id: `${id} ${name}` };
  });
}

function toText(value: unknown): string | undefined {
  return isEmpty(value) ? undefined : String(value);
}

/** The name of a field, or of a text in it: `dropdown_items.2`. */
function nameOfField(path: string): string {
  const [field = path] = path.split('.');
  return fieldName(field === 'question' ? path : field);
}

/** Returns null if another sentence covers the field. */
function describeField(
  change: NetChange,
  name: string,
  pair: Pair,
  nameOf: NameOf,
  wording: Wording,
): Sentence[] | null {
  const { words, formatDateTime } = wording;
  const { place, modelId, at } = change;
  const [before, after] = pair;
  const where = describePlace(place, words);
  const sentence = (said: string, more: Partial<Sentence> = {}): Sentence[] => [
    { id: `${modelId} ${name}`, text: said, isText: false, isMain: false, ...more },
  ];
  const main = (said: string) => sentence(said, { isMain: true });
  const hasValue = !isEmpty(after);
  const time = () => formatDateTime(new Date(String(after)));
  switch (`${place.type}.${name}`) {
    case 'step.position':
    case 'button.position':
    case 'item.position':
      return null;
    case 'experience.published_at':
      if (!hasValue) return main(words.paused);
      // Without the time of the Change, the new time is compared with now.
      return main(Date.parse(String(after)) > (at ?? Date.now()) + 60_000 ? words.scheduled(time()) : words.published);
    case 'experience.published_until':
      return sentence(hasValue ? words.endsAt(time()) : words.removed(nameOfField(name), where));
    case 'experience.archived_at':
      return main(hasValue ? words.archived : words.restored);
    case 'experience.rate_unlimit_at':
      return sentence(hasValue ? words.unlimited : words.limited);
    case 'experience.experiment_at':
      return sentence(hasValue ? words.experimentStarted : words.experimentEnded);
    case 'button.action_new_window':
      return sentence(after === true ? words.newWindow(where) : words.sameWindow(where));
    case 'item.hide':
      return sentence(after === true ? words.hidden(where) : words.shown(where));
  }
  const label = nameOfField(name);
  if (typeof (after ?? before) === 'boolean')
    return sentence(after === true ? words.turnedOn(label, where) : words.turnedOff(label, where));
  const verb = isEmpty(before) ? words.set : hasValue ? words.changed : words.removed;
  return sentence(verb(label, where), {
    before: formatValue(name, before, nameOf, wording),
    after: formatValue(name, after, nameOf, wording),
    isText: isWritten(name) || name === 'css',
  });
}
