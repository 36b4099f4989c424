import { normalizeKey } from '@usher/domain';
import { useMemo, useState } from 'react';
import * as text from '../messages/text.ts';
import { ComboBox } from '../ui/combo-box.tsx';
import { matchesWords } from '../ui/matches-words.ts';
import type { Option } from '../ui/select.tsx';
import { describeValue } from './describe-filters.ts';
import { subjectIcons } from './filter-row.tsx';
import { startingTest } from './operators.ts';
import type { RowContent } from './rows.ts';
import type { FilteredKind, KnownProperty, KnownSubjects } from './use-filter-names.ts';
import { hiddenLabel } from './value-fields.tsx';

const texts = text.filters;
/** The list shows this many options. The others are found by typing. */
const MAX_OPTIONS = 60;
const MAX_SEEN = 3;

interface AddConditionProps {
  known: KnownSubjects;
  about: FilteredKind;
  /** Whether a condition can be about an event, a tour or a survey. */
  hasActivity: boolean;
  /** Whether a text says what can be chosen. */
  hasHelp: boolean;
  onAdd: (content: RowContent) => void;
}

interface Subject extends Option {
  /** The words by which typing finds the option. */
  words: string;
}

/**
 * Chooses what a new condition is about, from all Properties, Event Names and records that exist. A key that was never
 * seen can be typed.
 */
export function AddCondition({ known, about, hasActivity, hasHelp, onAdd }: AddConditionProps) {
  const [typed, setTyped] = useState('');
  const subjects = useMemo(() => listSubjects(known, about, hasActivity), [known, about, hasActivity]);
  const found = subjects.filter(({ words }) => matchesWords(words, typed));
  const options = [...found.slice(0, MAX_OPTIONS), ...listNew(typed, subjects, hasActivity)];
  return (
    <ComboBox
      label={texts.add}
      placeholder={`${texts.add}…`}
      {...(hasHelp && { help: helpOf(about, hasActivity) })}
      options={options}
      // The options are filtered already, so the list shows all of them.
      defaultFilter={() => true}
      value={null}
      onChange={(value) => {
        if (value === null) return;
        setTyped('');
        onAdd(toContent(value, known));
      }}
      inputValue={typed}
      onInputChange={setTyped}
      className={`max-w-md flex-1 max-sm:basis-full ${hiddenLabel}`}
      data-add
    />
  );
}

function helpOf(about: FilteredKind, hasActivity: boolean): string {
  if (about === 'event') return texts.addEventHelp;
  if (about === 'company') return texts.addCompanyHelp;
  return hasActivity ? texts.addHelp : texts.addPlainHelp;
}

function listSubjects(known: KnownSubjects, about: FilteredKind, hasActivity: boolean): Subject[] {
  const properties = known.properties.map((property) => {
    const kind = property.isOfCompany ? ('company' as const) : ('property' as const);
    const name = property.prop.replace(/^company\./, '');
    return toSubject(kind, `property:${property.prop}`, property.name, describeSeen(property), name);
  });
  if (about !== 'profile') return properties;
  const segments = known.segments.map(({ id, name }) => toSubject('segment', `segment:${id}`, name));
  if (!hasActivity) return [...properties, ...segments];
  return [
    ...properties,
    ...known.events.map(({ uid, name }) => toSubject('event', `event:${uid}`, name)),
    ...known.tours.map(({ id, name }) => toSubject('tour', `tour:${id}`, name)),
    ...known.surveys.map(({ id, name }) => toSubject('survey', `survey:${id}`, name)),
    ...segments,
  ];
}

function toSubject(kind: keyof typeof subjectIcons, value: string, label: string, seen = '', words = ''): Subject {
  const description = seen === '' ? texts.kinds[kind] : `${texts.kinds[kind]}, ${seen}`;
  return { value, label, description, icon: subjectIcons[kind], words: `${label} ${words} ${texts.kinds[kind]}` };
}

function describeSeen({ values }: KnownProperty): string {
  const shown = values.flat().filter((value) => typeof value !== 'object' && String(value).length < 30);
  const some = [...new Set(shown.slice(0, MAX_SEEN).map((value) => describeValue(value as string)))];
  return some.length === 0 ? '' : texts.seen(some);
}

/** Options for a typed key that was never seen. */
function listNew(typed: string, subjects: readonly Subject[], hasActivity: boolean): Option[] {
  const prop = typed.split('.').map(normalizeKey).join('.');
  const uid = normalizeKey(typed);
  const isNew = (value: string) => subjects.every((one) => one.value !== value);
  const description = texts.notSeen;
  const isProp = !prop.split('.').includes('') && prop !== 'company';
  return [
    ...(isProp && isNew(`property:${prop}`)
      ? [{ value: `property:${prop}`, label: texts.newProperty(prop), description, icon: subjectIcons.property }]
      : []),
    ...(uid !== '' && hasActivity && isNew(`event:${uid}`)
      ? [{ value: `event:${uid}`, label: texts.newEvent(uid), description, icon: subjectIcons.event }]
      : []),
  ];
}

function toContent(value: string, known: KnownSubjects): RowContent {
  const [kind = '', ...rest] = value.split(':');
  const key = rest.join(':');
  if (kind === 'property') return { kind, prop: key, ...startingTest(known.findProperty(key).types) };
  return { kind: kind as 'event' | 'tour' | 'survey' | 'segment', op: 'ex', value: key };
}
