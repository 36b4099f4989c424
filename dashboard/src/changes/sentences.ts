import {
  describeChanges,
  formatValue as formatWith,
  type NameOf,
  type NetChange,
  type Place,
  describePlace as placeWith,
  type Sentence,
  type Wording,
} from '@usher/domain/sentences';
import { readableText } from '../editor/readable-text.ts';
import { describeFilters } from '../filters/describe-filters.ts';
import type { FilterNames } from '../filters/names.ts';
import { languageName } from '../languages/language-names.ts';
import { formatDateTime, formatNumber } from '../messages/format.ts';
import * as text from '../messages/text.ts';

/* The sentences of the domain in the language of the dashboard, with times and numbers as the reader writes them. */

const wording: Wording = {
  words: text.history,
  formatNumber: (value) => formatNumber(value),
  formatDateTime: (time) => formatDateTime(time),
  languageName: (code) => languageName(code),
  describeFilters: (filters, nameOf) => describeFilters({ filters, filters_op: 'and' }, namesOf(nameOf)),
  readableText,
};

/** History knows the names of records, and Properties and events by their keys. */
function namesOf(nameOf: NameOf): FilterNames {
  return {
    property: (prop) => prop,
    event: (uid) => uid,
    experience: (_, id) => nameOf(id) ?? text.history.gone,
    segment: (id) => nameOf(id) ?? text.history.gone,
  };
}

export function sentencesOf(changes: readonly NetChange[], kind: string, nameOf: NameOf): Sentence[] {
  return describeChanges(changes, kind, nameOf, wording);
}

export function formatValue(field: string, value: unknown, nameOf: NameOf): string | undefined {
  return formatWith(field, value, nameOf, wording);
}

export function describePlace(place: Place): string {
  return placeWith(place, text.history);
}
